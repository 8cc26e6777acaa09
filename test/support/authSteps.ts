/** The steps of signing in, as the report has them. */

export const discovery = [
	'GET /.well-known/oauth-protected-resource/mcp',
	'as GET /.well-known/oauth-authorization-server',
] as const;

export const signingIn = [
	...discovery,
	'as POST /register',
	'as GET /authorize',
	'as POST /token authorization_code',
] as const;
