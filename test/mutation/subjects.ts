/**
 * What `npm run mutate` changes, by subject, and the unit tests that must notice. Every file of `decidingFolders` is in
 * one subject or in `notDeciding`; a new file fails `test/unit/mutation.test.ts` until it stands here.
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
			model('urlWarnings'),
		],
		tests: [
			'test/unit/mcp/auth/{addresses,attacksByAddress}.test.ts',
			'test/unit/mcp/transport/httpUrl.test.ts',
			'test/unit/mcp/uri/parseUrl.test.ts',
			'test/unit/model/urlWarnings.test.ts',
		],
	},
	policy: {
		files: [model('policy,policyEdit,policyFile,glob'), 'src/host/policies.ts'],
		tests: [
			'test/unit/model/{policy,policyEdit,policyFile,glob,reach,approval}.test.ts',
			'test/unit/host/policies.test.ts',
		],
	},
	paths: {
		files: [model('reach,pathReadings,pathSegments,pathText,roots')],
		tests: ['test/unit/model/{pathReadings,pathSegments,pathText,reach,reachOfLines,roots,policy}.test.ts'],
	},
	lock: {
		files: [model('pins,pinState'), 'src/host/{locks,guardFiles,unlinkedFiles}.ts', 'src/mcp/schema/canonicalJson.ts'],
		tests: [
			'test/unit/model/{pins,pinState}.test.ts',
			'test/unit/host/{locks,guardFiles,keptStates}.test.ts',
			'test/unit/mcp/schema/canonicalJson.test.ts',
		],
	},
	approvals: {
		files: [
			model('approval,approver,auditLog,callGrants,calls,plainData,samplingGrants,toolAccess'),
			'src/host/grants.ts',
		],
		tests: [
			'test/unit/model/{approval,approver,auditLog,callGrants,calls,plainData,runningCalls,samplingGrants,toolAccess}.test.ts',
			'test/unit/features/approval/pendingApprovals.test.ts',
			'test/unit/host/{grants,keptStates}.test.ts',
		],
	},
	consent: {
		files: [model('consent,consents,launchParts,launchSnapshot'), 'src/host/consentStore.ts'],
		tests: ['test/unit/model/{consent,consents,launchParts}.test.ts', 'test/unit/host/keptStates.test.ts'],
	},
	redaction: {
		files: [model('encodedText,keptArguments,keptValue,redactor,secretFields'), 'src/mcp/schema/secretSchema.ts'],
		tests: [
			'test/unit/model/{encodedText,keptArguments,keptValue,redactor,redactorBounds,secretFields,history,historyEntry}.test.ts',
			'test/unit/mcp/schema/secretSchema.test.ts',
		],
	},
	discovery: {
		files: ['src/mcp/auth/{authHttp,challenges,config,demands,discovery,failure,scopes}.ts'],
		tests: [
			'test/unit/mcp/auth/{attacks,attacksByAddress,authHttp,challenges,demands,discovery,discoveryRules,scopes}.test.ts',
		],
	},
	tokens: {
		files: ['src/mcp/auth/{authorizer,clientAuth,dpop,flight,grant,keys,machineGrants,proof,secrets,tokenRequest}.ts'],
		tests: [
			'test/unit/mcp/auth/{authEngine,authEngineStart,authorizerDecisions,authorizerOverlaps,authorizerSession,clientAuth,dpop,extensions,flight,grant,keys,machineGrants,registration,secrets,signInClient,tokenRequest}.test.ts',
		],
	},
	authorization: {
		files: ['src/mcp/auth/{authEngine,authorizationCode,engine,ports,registration,steps}.ts'],
		tests: [
			'test/unit/mcp/auth/{authEngine,authEngineStart,authorizerDecisions,authorizerSession,signInClient,signInSteps}.test.ts',
		],
	},
	configuration: {
		files: [model('boundedJson,jsonNodes,serverConfig,serverDefinition')],
		tests: ['test/unit/model/{boundedJson,configFormats,consent,devMode,inputs,launchParts,serverConfig}.test.ts'],
	},
	variables: {
		files: [model('envFile,executionVariables,inputs,knownVariables,precedence,variables')],
		tests: [
			'test/unit/model/{envFile,executionVariables,inputs,knownVariables,precedence,serverStart,variables}.test.ts',
		],
	},
	settings: {
		files: [model('authSettings,optionChoice,serverOptions,settings')],
		tests: ['test/unit/model/{authSettings,optionChoice,serverOptions,settings}.test.ts'],
	},
	pasted: {
		files: [model('addOptions,otherClients,pastedServer,serverEntry,serverInputs,serverName,shellWords')],
		tests: [
			'test/unit/model/{addOptions,otherClients,pastedCommand,pastedDecoration,pastedLinks,pastedPrograms,pastedServer,secretNames,serverEntry,serverInputs,serverName,shellWords}.test.ts',
		],
	},
} as const satisfies Readonly<Record<string, Subject>>;

/** The folders in which a file decides unless it is listed below. */
export const decidingFolders = ['src/model', 'src/mcp/auth'];

/** Files of these folders that decide nothing about access, secrets or what is started. */
export const notDeciding = [
	// Servers: their state, life and lists.
	model('accounts,catalog,closing,comebacks,devMode,endedSignIn,environment,launching,liveEntry,messageRate'),
	model('resolvedServer,restartPolicy,server,serverLabels,serverLife,serverOverview,serverPorts,serverRegistry'),
	model('serverRun,serverState,stderrTail,logLimiter,versions,pendingRequests'),
	// What servers ask, and what is answered; the permissions are in `samplingGrants`.
	model('answerText,argumentsJson,elicitations,modelChoice,questions,sampling,samplingAnswer,samplings'),
	// What is shown, searched and completed.
	model('completions,contentView,entryFilter,entryFolders,entryPage,fileLocation,fuzzy,icons,iconLoader,imageBytes'),
	model(
		'invisible,lookalikes,search,sectionText,slash,schemaSkeleton,structuredCheck,textNames,toolNames,toolWarnings',
	),
	// What is kept of calls; what is left out of it is in `keptArguments`, `keptValue` and `redactor`.
	model('callOutcome,exchanges,history,historyEntry,journal,runningCalls'),
	// What writes configurations once the person has seen what is written.
	model('configEdit,jsonEdit'),
	// Resources.
	model('liveResources,resourceContents,resourceOrder'),
	// Why a server does not start.
	model('diagnosis,doctor,lastWords'),
];

function model(names: string): string {
	return names.includes(',') ? `src/model/{${names}}.ts` : `src/model/${names}.ts`;
}
