// The double that unit tests use does what the editor does.
import * as vscode from 'vscode';
import { checkEditor } from '../support/vscodeDoubleChecks.js';

describe('the editor, as its double has it', () => checkEditor(vscode));
