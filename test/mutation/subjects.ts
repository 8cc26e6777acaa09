/**
 * What `npm run mutate` changes, by subject, and the unit tests that must notice. Every file of `decidingFolders` is in
 * one subject or in `notDeciding`; a new file fails `test/tools/mutation.test.ts` until it stands here.
 */

/** Globs from the project's folder. */
export interface Subject {
	/** The files that are mutated. */
	readonly files: readonly string[];
	/** The unit tests that are run for each mutant they reach. */
	readonly tests: readonly string[];
}

export type SubjectName = keyof typeof subjects;

export const subjects = {
	addresses: {
		files: [
			'src/mcp/auth/addresses.ts',
			'src/mcp/transport/httpUrl.ts',
			'src/mcp/uri/parseUrl.ts',
			'src/core/requests/urlWarnings.ts',
		],
		tests: [
			'test/*/mcp/auth/{addresses,attacksByAddress}.test.ts',
			'test/*/mcp/transport/httpUrl.test.ts',
			'test/*/mcp/uri/parseUrl.test.ts',
			'test/*/core/requests/urlWarnings.test.ts',
		],
	},
	policy: {
		files: ['src/core/approvals/{policy,policyEdit,policyFile,glob}.ts', 'src/features/approvals/policies.ts'],
		tests: [
			'test/*/core/approvals/{policy,policyEdit,policyFile,glob,pathScope,approval}.test.ts',
			'test/*/features/approvals/policies.test.ts',
		],
	},
	paths: {
		files: ['src/core/approvals/pathScope.ts', 'src/core/servers/roots.ts'],
		tests: ['test/*/core/approvals/{pathScope,policy}.test.ts', 'test/*/core/servers/roots.test.ts'],
	},
	lock: {
		files: [
			'src/core/approvals/{toolLock,lockState}.ts',
			'src/editor/storage/{lockFiles,guardFiles}.ts',
			'src/editor/documents/unlinkedFiles.ts',
			'src/mcp/schema/canonicalJson.ts',
		],
		tests: [
			'test/*/core/approvals/{toolLock,lockState}.test.ts',
			'test/*/editor/storage/{lockFiles,guardFiles,versionedState}.test.ts',
			'test/*/mcp/schema/canonicalJson.test.ts',
		],
	},
	approvals: {
		files: [
			'src/core/approvals/{approval,approver,callGrants}.ts',
			'src/core/history/auditLog.ts',
			'src/core/calls/{calls,toolAccess}.ts',
			'src/core/text/plainData.ts',
			'src/core/requests/samplingGrants.ts',
			'src/editor/storage/grants.ts',
		],
		tests: [
			'test/*/core/approvals/{approval,approver,callGrants}.test.ts',
			'test/*/core/history/auditLog.test.ts',
			'test/*/core/calls/{calls,runningCalls,toolAccess}.test.ts',
			'test/*/core/text/plainData.test.ts',
			'test/*/core/requests/samplingGrants.test.ts',
			'test/*/features/approvals/pendingApprovals.test.ts',
			'test/*/editor/storage/{grants,versionedState}.test.ts',
		],
	},
	consent: {
		files: [
			'src/core/launch/{consentFacts,consents,launchParts,launchSnapshot}.ts',
			'src/features/consent/consentStore.ts',
		],
		tests: [
			'test/*/core/launch/{consentFacts,consents,launchParts}.test.ts',
			'test/*/editor/storage/versionedState.test.ts',
		],
	},
	redaction: {
		files: ['src/core/text/{encodedText,redactor}.ts'],
		tests: [
			'test/*/core/text/{encodedText,redactor,redactorBounds}.test.ts',
			'test/*/core/history/{keptValue,history,historyEntry}.test.ts',
		],
	},
	secrets: {
		files: [
			'src/core/text/{argumentSecrets,secretNames}.ts',
			'src/core/history/keptValue.ts',
			'src/features/elicitation/secretFields.ts',
			'src/mcp/schema/secretSchema.ts',
		],
		tests: [
			'test/*/core/text/{argumentSecrets,redactor,secretNames}.test.ts',
			'test/*/core/history/{keptValue,history,historyEntry}.test.ts',
			'test/*/features/elicitation/secretFields.test.ts',
			'test/*/mcp/schema/secretSchema.test.ts',
		],
	},
	discovery: {
		files: ['src/mcp/auth/{authHttp,challenges,config,discovery,scopes}.ts'],
		tests: ['test/*/mcp/auth/{attacks,attacksByAddress,authHttp,challenges,discovery,discoveryRules,scopes}.test.ts'],
	},
	tokens: {
		files: ['src/mcp/auth/{authorizer,clientAuth,dpop,sharedSignIn,grant,keys,machineGrants,secrets,tokenRequest}.ts'],
		tests: [
			'test/*/mcp/auth/{authEngine,authEngineStart,authorizerDecisions,authorizerOverlaps,authorizerSession,clientAuth,dpop,extensions,sharedSignIn,grant,keys,machineGrants,registration,secrets,signInClient,tokenRequest}.test.ts',
		],
	},
	authorization: {
		files: ['src/mcp/auth/{authEngine,authorizationCode,failure,ports,registration,signInSteps}.ts'],
		tests: [
			'test/*/mcp/auth/{authEngine,authEngineStart,authorizerDecisions,authorizerOverlaps,authorizerSession,failure,registration,signInClient,signInSteps}.test.ts',
		],
	},
	configuration: {
		files: [
			'src/core/text/{boundedJson,jsonNodes}.ts',
			'src/core/config/{networkPath,serverConfig,serverDefinition}.ts',
		],
		tests: [
			'test/*/core/text/boundedJson.test.ts',
			'test/*/core/config/{configFormats,devMode,inputs,serverConfig}.test.ts',
			'test/*/core/launch/{consentFacts,launchParts}.test.ts',
		],
	},
	variables: {
		files: [
			'src/core/config/{envFile,inputs,knownVariables,precedence,variables}.ts',
			'src/core/launch/executionVariables.ts',
		],
		tests: [
			'test/*/core/config/{envFile,inputs,knownVariables,precedence,variables}.test.ts',
			'test/*/core/launch/executionVariables.test.ts',
			'test/*/core/servers/serverStart.test.ts',
		],
	},
	settings: {
		files: ['src/core/config/{authSettings,optionChoice,serverOptions,settings}.ts'],
		tests: ['test/*/core/config/{authSettings,optionChoice,serverOptions,settings}.test.ts'],
	},
	pasted: {
		files: [
			'src/core/addServer/{addOptions,otherClients,pastedServer,serverName,shellWords}.ts',
			'src/core/config/{serverEntry,serverInputs}.ts',
		],
		tests: [
			'test/*/core/addServer/{addOptions,otherClients,pastedCommand,pastedDecoration,pastedLinks,pastedPrograms,pastedServer,serverName,shellWords}.test.ts',
			'test/*/core/config/{serverEntry,serverInputs}.test.ts',
			'test/*/core/text/secretNames.test.ts',
		],
	},
} as const satisfies Readonly<Record<string, Subject>>;

/** The folders in which a file decides unless it is listed below. */
export const decidingFolders = ['src/core', 'src/mcp/auth'];

/** Files of these folders that decide nothing about access, secrets or what is started. */
export const notDeciding = [
	// Servers: their state, life and lists.
	'src/core/servers/{accounts,catalog,closing,icons,imageBytes}.ts',
	'src/core/servers/{restartPolicy,restartScheduler,server,serverLabels,serverPorts,serverRegistry,serverRun,signInStatus}.ts',
	'src/core/servers/serverState.ts',
	'src/core/launch/{environment,resolvedServer}.ts',
	'src/core/config/devMode.ts',
	// What servers ask, and what is answered; the permissions are in `samplingGrants`.
	'src/core/requests/{elicitations,modelChoice,pendingRequests,questions,samplingAnswer,samplingRequest,samplings}.ts',
	// What is shown, searched and completed.
	'src/core/search/*.ts',
	'src/core/text/{invisible,mixedScripts,schemaSkeleton}.ts',
	'src/core/approvals/{toolNames,toolWarnings}.ts',
	// What is kept of calls; what is left out of it is in `argumentSecrets`, `keptValue` and `redactor`.
	'src/core/calls/{callOutcome,interactions,runningCalls}.ts',
	'src/core/history/{history,historyEntry,journal}.ts',
	// What writes configurations once the person has seen what is written.
	'src/core/config/{configEdit,jsonEdit}.ts',
	'src/core/resources/*.ts',
	// Why a server does not start.
	'src/core/diagnosis/*.ts',
];
