/** Every command, by what another extension can do with it: a new command needs a row, and somebody who has thought of it. */
import * as assert from 'node:assert/strict';
import { Commands } from '../../src/editor/contributions.js';

/**
 * `harmless`: whatever it is given, it changes no protection, calls no tool and answers no server.
 * `asks`: what could do harm is shown or confirmed in our own interface first, or filled in there.
 * `ours`: acts only on nodes of our trees; anything else that it is given is ignored.
 */
type Row = readonly ['harmless' | 'asks' | 'ours', why: string];

const rows: Readonly<Record<keyof typeof Commands, Row>> = {
	startServer: ['asks', 'starts what the person has configured; what came with a workspace, after its consent sheet'],
	stopServer: ['harmless', 'stops a server, which can be started again'],
	restartServer: ['asks', 'as starting a server'],
	showServerLog: ['harmless', 'shows a log'],
	explainServer: ['asks', 'says why a server failed; what can be done about it are buttons'],
	addServer: ['asks', 'a wizard, with a review before anything is written'],
	removeServer: [
		'asks',
		'a modal question names the server and where it stands; the demo server comes with the extension',
	],
	importServers: ['asks', 'lists what other clients have; the person checks what is imported'],
	tryDemo: ['harmless', 'starts the server that comes with the extension, and no other'],
	removeDemo: ['harmless', 'takes the server away that comes with the extension'],
	openWalkthrough: ['harmless', 'opens a page'],
	openDocumentation: ['harmless', 'opens a page of our own that the person selects'],
	openConfiguration: ['harmless', 'opens a document, as every extension can'],
	copyPage: ['harmless', 'puts a page that is open into the clipboard'],
	showServers: ['asks', 'a list to choose from'],
	refreshServers: ['harmless', 'reads the configuration, and asks servers for their lists, again'],
	filter: ['harmless', 'filters the tree'],
	clearFilter: ['harmless', 'shows the whole tree'],
	showMore: ['ours', 'shows more lines'],
	manageTrust: ['asks', "opens the editor's own page"],
	editInputs: ['asks', 'a list to choose from; values are typed there'],
	forgetInputs: ['asks', 'confirmed, unless it is chosen in the tree'],
	forgetConsents: ['harmless', 'every server of the workspace is shown again before its next start'],
	serverOptions: ['asks', 'a list to choose from'],
	signIn: ['asks', 'shows who asks for what before a browser opens'],
	signOut: ['asks', 'confirmed, unless it is chosen in our own interface'],
	showAccount: ['asks', 'a list to choose from'],
	showSignInReport: ['harmless', 'opens a document without secrets'],
	setClient: ['asks', 'values are typed into our own boxes'],
	forgetRegistration: ['asks', 'confirmed, unless it is chosen in our own interface'],
	pasteAddress: ['asks', 'the address is typed into our own box'],
	runTool: ['asks', 'with arguments: the approval sheet; otherwise a form that the person fills in'],
	showTool: ['harmless', 'opens a page; what can be done there are buttons'],
	enableTool: ['ours', 'switches a tool on'],
	disableTool: ['ours', 'switches a tool off'],
	runArguments: ['asks', 'the approval sheet: others can write the document'],
	argumentsToForm: ['asks', 'a form, and then the approval sheet: others can write the document'],
	explainTool: ['ours', 'opens a page'],
	reviewTool: ['ours', 'shows a change; accepting it is a button'],
	hideFromModels: ['ours', 'hides a tool from models'],
	showToModels: ['ours', 'shows a tool to models'],
	toolsForModels: ['asks', 'a list to choose from'],
	openChat: ['harmless', 'opens the chat with a mention'],
	lockTools: ['asks', 'confirmed, unless it is chosen in our own interface: it accepts every change of the tools'],
	manageApprovals: ['asks', 'a list to choose from'],
	openPolicy: ['harmless', 'opens the policy; one that is begun has no rules'],
	exportAudit: ['asks', 'the person chooses where'],
	openResource: ['harmless', 'reads a resource and opens it read-only'],
	answerQuestion: ['asks', 'the form, page or sheet of the question; only a question of ours is named by an argument'],
	declineQuestion: ['ours', 'declines the request of a line of the tree'],
	manageSampling: ['asks', 'a list to choose from'],
	muteServer: ['asks', 'a list to choose from, unless it is a line of the tree'],
	unmuteServer: ['asks', 'a list to choose from, unless it is a line of the tree'],
	runPrompt: ['asks', 'a prompt only reads; what is done with its result is chosen each time'],
	useText: ['harmless', 'hands a text back to the box or sheet that it came from, which sends nothing by itself'],
	goToResource: ['asks', 'a list to choose from'],
	refreshResource: ['harmless', 'reads a resource again'],
	compareResource: ['harmless', 'opens two versions side by side'],
	copyResource: ['harmless', 'reads a resource into the clipboard, which extensions can write'],
	copyResourceUri: ['harmless', 'puts a text into the clipboard, as every extension can'],
	insertResource: ['harmless', 'edits the active editor, as every extension can'],
	saveResource: ['asks', 'the person chooses where'],
	attachResource: ['harmless', 'attaches a copy to the chat; the person sends it'],
	openTemplate: ['asks', 'variables are typed into our own boxes; what is read is opened'],
	chooseRoots: ['asks', 'a list of folders to check'],
	cancelCall: ['ours', 'cancels a call whose row the person has chosen'],
	openHistoryEntry: ['harmless', 'opens a document without secrets'],
	runAgain: [
		'asks',
		'by id, the approval sheet; of a line of ours, too, unless the person has made or allowed the call',
	],
	editAndRun: [
		'asks',
		'a form; then the approval sheet, unless the person has made or allowed the call and sees all of it',
	],
	compareResults: ['harmless', 'opens two results side by side'],
	showInHistory: ['harmless', 'selects a line'],
	addRule: ['asks', 'the person chooses what the rule says, and sees it'],
	copyEntry: ['harmless', 'puts an entry without secrets into the clipboard'],
	copyCall: ['harmless', 'puts a call without secrets into the clipboard'],
	showOlderCalls: ['harmless', 'shows more lines'],
	filterHistory: ['asks', 'the filter is typed into our own box'],
	clearHistoryFilter: ['harmless', 'shows the whole history'],
	clearHistory: ['asks', 'a modal question comes first'],
	clearData: ['asks', 'the person selects the parts and confirms'],
};

describe('commands that another extension runs', () => {
	it('were all thought of', () => {
		assert.deepEqual(Object.keys(rows).toSorted(), Object.keys(Commands).toSorted());
		for (const [name, [, why]] of Object.entries(rows)) {
			assert.ok(why.length > 10, name);
		}
	});
});
