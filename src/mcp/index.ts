/**
 * The exports of the protocol client: other layers import from this file only. `mcp` runs in Node, browsers and web
 * workers, and imports neither `vscode` nor modules of Node.
 */
export { isLoopback, Nearness, nearnessOf, type Page, readPage } from './auth/addresses.js';
export { Authorizer } from './auth/authorizer.js';
export type { AuthConfig, BoundClient, DpopMode, Exceptions, KnownClient } from './auth/config.js';
export { type AuthException, type AuthFailure, type AuthRequest, exceptionFor } from './auth/failure.js';
export type { SignInNeed, UnsafeUrl } from './auth/failure.js';
export type {
	AuthEngine,
	AuthEngineOptions,
	AuthorizerOptions,
	AuthPrompt,
	AuthState,
	Redirect,
	RedirectTarget,
	SecretKey,
	TokenStore,
} from './auth/ports.js';
export type { AuthStep } from './auth/signInSteps.js';
export { Client, type CompletionReference } from './client/client.js';
export type { ClientOptions, EraMemory, EraMode } from './client/clientOptions.js';
export type { ClientHandlers } from './client/handlers.js';
export type { Session } from './client/negotiate.js';
export type { CallOptions } from './client/session.js';
export type { EraReason } from './client/probe.js';
export type { TaskState } from './client/tasks.js';
export { type Era, workMethods } from './wire/codec.js';
export type { Progress } from './jsonrpc/pending.js';
export { isUnknownMethod, McpError, type McpFailure, RpcError, RpcErrorCode } from './jsonrpc/errors.js';
export {
	describeJson,
	isObject,
	type JsonObject,
	type Message,
	relatedTaskOf,
	type RequestId,
} from './jsonrpc/messages.js';
export { defaultLimits, type Limits, textLimits } from './limits.js';
export { canonicalJson } from './schema/canonicalJson.js';
export { checkField, checkFields, parseField, type TypedValue } from './schema/fieldCheck.js';
export type { Field, FieldKind, FieldProblem, Form } from './schema/form.js';
export { checkForm, type ValueProblem } from './schema/formCheck.js';
export { formFields, type FormMember, type FormModel, formModel, type FormNode } from './schema/formModel.js';
export { secretPart, type SecretPart } from './schema/secretSchema.js';
export {
	DeadlineValidator,
	type SchemaCheck,
	type SchemaEngine,
	type SchemaProblem,
	type SchemaValidator,
	type UncheckedReason,
} from './schema/validator.js';
export { BaseTransport } from './transport/baseTransport.js';
export { HttpAbort, type HttpFetch, type HttpRequest, type HttpResponse } from './transport/httpFetch.js';
export { paramHeaders, readParamHeaders } from './transport/httpHeaders.js';
export { LegacySse } from './transport/legacySse.js';
export { StreamableHttp } from './transport/streamableHttp.js';
export { findAnsweredId } from './transport/longMessage.js';
export type { HttpExchange } from './transport/httpEndpoint.js';
export type { Recorder, WireChannel, WireEvent } from './transport/tap.js';
export type { Chunk, SendOptions, Transport, TransportEnd } from './transport/transport.js';
export { tryParseUrl } from './uri/parseUrl.js';
export { parseUriTemplate, type TemplateValueProblem, type UriTemplate } from './uri/template.js';
export { readContentBlock, readToolResult } from './wire/read.js';
export { codecFor } from './wire/revisions.js';
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
