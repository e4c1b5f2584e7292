export {
	admitDelimiter,
	advanceProtocol,
	DELIMITER,
	type DelimiterCommand,
	decideDelimiter,
	describeCommand,
	emptyProtocol,
	type ProtocolState,
} from "./delimiter.ts";
