/**
 * THE DOOR of the protocol core: everything other rooms may use of it. Runs in Node, a browser and a
 * web worker alike; knows neither the editor nor Node.
 */
export { isLoopback, Nearness, nearnessOf, type Page, readPage } from './auth/addresses.js';
export { Authorizer } from './auth/authorizer.js';
export type { AuthorizerOptions } from './auth/engine.js';
export type { AuthConfig, DpopMode, KnownClient, PersonConfig, WorkloadConfig } from './auth/config.js';
export type { AuthEngine, AuthEngineOptions } from './auth/engine.js';
export type { AuthFailure, AuthRequest, SignInNeed, UnsafeUrl } from './auth/failure.js';
export type { AuthPrompt, AuthState, Redirect, RedirectTarget, SecretKey, TokenStore } from './auth/ports.js';
export type { AuthStep, ClientWay } from './auth/steps.js';
export { Client, type CompletionReference, isUnknownMethod } from './client/client.js';
export type { ClientOptions } from './client/clientOptions.js';
export type { ClientHandlers, InputHandler } from './client/handlers.js';
export type { EraMemory, EraMode, Session } from './client/negotiate.js';
export type { EraReason } from './client/probe.js';
export type { TaskState } from './client/tasks.js';
export { type Era } from './wire/codec.js';
export type { Progress } from './jsonrpc/requestOptions.js';
export { McpError, type McpFailure, RpcError, RpcErrorCode } from './jsonrpc/errors.js';
export { describeJson, isObject, type JsonObject, type Message } from './jsonrpc/messages.js';
export { defaultLimits, type Limits, textLimits } from './limits.js';
export { canonicalJson } from './schema/canonicalJson.js';
export { checkField, checkFields, parseField } from './schema/fieldCheck.js';
export type { Field, FieldCheck, FieldProblem, Form } from './schema/form.js';
export { formFields } from './schema/formFields.js';
export { secretNames, secretPart, type SecretPart } from './schema/secretSchema.js';
export {
	LazyValidator,
	type LazyValidatorOptions,
	type PatternMatcher,
	type SchemaCheck,
	type SchemaEngine,
	type SchemaProblem,
	type SchemaValidator,
	type UncheckedReason,
} from './schema/validator.js';
export type { HttpAuth } from './transport/httpAuth.js';
export type { HttpExchange } from './transport/httpEndpoint.js';
export { HttpAbort, type HttpFetch, type HttpRequest, type HttpResponse } from './transport/httpFetch.js';
export { LegacySse, type LegacySseOptions } from './transport/legacySse.js';
export { StreamableHttp, type StreamableHttpOptions } from './transport/streamableHttp.js';
export { lostBy } from './transport/longMessage.js';
export type { WireEvent, WireMessage } from './transport/tap.js';
export type { Agreement, Lost, Received, Transport, TransportEnd } from './transport/transport.js';
export { tryParseUrl } from './uri/parseUrl.js';
export { parseUriTemplate, type TemplateValueProblem, type UriTemplate } from './uri/template.js';
export { readContentBlock } from './wire/read.js';
export { samplingProblem } from './wire/samplingRules.js';
export {
	type Annotations,
	type ContentBlock,
	type ListKind,
	type PromptMessage,
	type PromptResult,
	type Icon,
	type Implementation,
	type LoggingLevel,
	type LogMessage,
	type Prompt,
	type Resource,
	type ResourceContents,
	type ResourceTemplate,
	type Root,
	type Tool,
	type ToolAnnotations,
	type ToolResult,
} from './wire/types.js';
