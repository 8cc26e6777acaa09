/**
 * THE DOOR of the protocol core: everything other rooms may use of it. Runs in Node, a browser and a
 * web worker alike; knows neither the editor nor Node.
 */
export { Client, type ClientOptions, latestLegacyVersion, type ListKind, type Session } from './client/client.js';
export type { Progress, RequestOptions, WireEvent } from './jsonrpc/connection.js';
export { McpError, type McpFailure, RpcError, RpcErrorCode } from './jsonrpc/errors.js';
export { isObject, type JsonObject, type Message } from './jsonrpc/messages.js';
export {
	checkField,
	checkFields,
	type Field,
	type FieldCheck,
	type FieldProblem,
	formFields,
	type Form,
	parseField,
} from './schema/formFields.js';
export type { HttpExchange } from './transport/httpEndpoint.js';
export { HttpAbort, type HttpFetch, type HttpRequest, type HttpResponse } from './transport/httpFetch.js';
export {
	decodeHeaderValue,
	encodeHeaderValue,
	type ParamHeader,
	type ParamHeaderProblem,
	paramHeaders,
	type ParamHeaders,
	readParamHeaders,
} from './transport/httpHeaders.js';
export { LegacySse, type LegacySseOptions } from './transport/legacySse.js';
export { type HttpDelays, StreamableHttp, type StreamableHttpOptions } from './transport/streamableHttp.js';
export type { Agreement, HttpFacts, SendOptions, Transport, TransportEnd } from './transport/transport.js';
export {
	type ContentBlock,
	type Implementation,
	type LoggingLevel,
	type LogMessage,
	type Named,
	type Prompt,
	type Resource,
	type ResourceContents,
	type ResourceTemplate,
	type Root,
	type ServerCapabilities,
	type Tool,
	type ToolAnnotations,
	type ToolResult,
} from './wire/types.js';
