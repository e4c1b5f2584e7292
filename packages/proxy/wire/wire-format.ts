/** The common form of the APIs' requests: a list of entries, each with items that a pass may take. */
import type { Digest, Item } from "#core/transcript";

/** Where an item stands in its entry. */
export type Place =
	/** It is all of the entry. */
	| { readonly type: "entry" }
	/** An element of a list that the entry holds, such as a block of its content. */
	| { readonly type: "element"; readonly list: string; readonly index: number }
	/** The value of a key. */
	| { readonly type: "member"; readonly key: string };

type WithoutPlace<T> = T extends unknown ? Omit<T, "id" | "message"> : never;

/** An item without its identity, which depends on the messages before it. */
export type ItemDraft = WithoutPlace<Item>;

export interface PlacedDraft {
	readonly draft: ItemDraft;
	readonly place: Place;
	/** The text to send in place of a result of one of our own tools. */
	readonly answer?: string;
}

/** A neutral message that an entry holds. Those that are not the model's have one item, or none: then nobody takes it. */
export interface MessageDraft {
	readonly author: "user" | "host" | "model" | "tool";
	readonly items: readonly PlacedDraft[];
	/** Tokens of what has no items. */
	readonly uncounted?: number;
}

/** An element of the request's list of messages. */
export interface Entry {
	/** Names the message in later requests: nothing in it may change when an agent sends the message again. */
	readonly identity: string;
	readonly drafts: readonly MessageDraft[];
	/** True if its items belong to the model message that the entry before it is part of. */
	readonly continues?: boolean;
}

/** Counts tokens and looks into texts; the host of this package provides it. */
export interface TextReader {
	readonly countTokens: (text: string) => number;
	readonly digestCall: (args: Readonly<Record<string, unknown>>) => Digest;
	readonly digestOutput: (text: string) => Digest;
}

export interface WireFormat {
	/** The key of the list of messages. */
	readonly list: string;
	/** Keys whose values are sent with every request and are no messages: system prompt and tools. */
	readonly system: readonly string[];
	readonly tools: string;
	/** Reads an entry; undefined if it is of no form that is known. */
	readEntry(entry: unknown, reader: TextReader): Entry | undefined;
	/** The reason why the requests of a conversation cannot be edited; undefined if they can. */
	findObstacle(options: RequestOptions): string | undefined;
	/** Returns true if the provider wants the thinking of the open tool loop back, and does not bind it to its prefix. */
	keepsLoopThinking(options: RequestOptions): boolean;
	/** An entry that holds a text of the proxy's own. */
	noteEntry(text: string): object;
	/** A system message inside the conversation as a user's reminder; absent if the API takes system messages anywhere. */
	asReminder?(entry: unknown): object | undefined;
	/** The key of a result's content: in the list of the entry's blocks, or in the entry itself. */
	readonly resultContent: string;
	/** A block of text as a part of a result. */
	resultText(text: string): object;
	/** Keys that go from what is left of an answer whose thinking left. */
	readonly boundKeys: readonly string[];
	/** Prices of a cached and of an uncached token, as multiples of the price of plain input. */
	readonly prices: { readonly read: number; readonly write: number };
	/** Keys of an answer's usage that add up to the tokens of its request, those read from the cache included. */
	readonly inputKeys: readonly string[];
}

/** The other values of a request, by key. */
export type RequestOptions = Readonly<Record<string, unknown>>;
