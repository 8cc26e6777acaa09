import * as assert from 'node:assert/strict';
import { changesExecution, shownValue } from '../../../../src/core/launch/executionVariables.js';

describe('environment variables that change execution', () => {
	for (const name of (
		'PATH Path NODE_OPTIONS NODE_PATH LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES PYTHONPATH ' +
		'PYTHONSTARTUP PYTHONHOME PERL5OPT PERL5LIB RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS ' +
		'CLASSPATH BASH_ENV ENV ZDOTDIR SHELL ComSpec PATHEXT GIT_SSH_COMMAND GIT_EXEC_PATH GIT_CONFIG_COUNT GIT_ASKPASS ' +
		'SSH_ASKPASS npm_config_registry NPM_CONFIG_PREFIX YARN_RC_FILENAME UV_INDEX_URL PIP_INDEX_URL ' +
		'DOTNET_STARTUP_HOOKS CORECLR_PROFILER_PATH DENO_DIR BUN_CONFIG ELECTRON_RUN_AS_NODE http_proxy HTTPS_PROXY ' +
		'ALL_PROXY NODE_EXTRA_CA_CERTS SSL_CERT_FILE REQUESTS_CA_BUNDLE NODE_TLS_REJECT_UNAUTHORIZED GLIBC_TUNABLES ' +
		'MALLOC_CHECK_ EDITOR PAGER DOCKER_HOST KUBECONFIG HOME PERLLIB MAKEFLAGS CC CXX AWKPATH ' +
		'CARGO_REGISTRY_CREDENTIAL_PROVIDER CARGO_REGISTRY_GLOBAL_CREDENTIAL_PROVIDERS'
	).split(' ')) {
		it(name, () => {
			assert.ok(changesExecution(name));
			assert.equal(shownValue(name, 'value'), 'value');
		});
	}

	for (const name of ['API_KEY', 'PORT', 'MY_PATH', 'LOG_LEVEL', 'GITHUB_TOKEN', '', 'ENVIRONMENT', 'LDAP_HOST']) {
		it(`none: "${name}"`, () => {
			assert.ok(!changesExecution(name));
			assert.equal(shownValue(name, 'value'), undefined);
		});
	}

	for (const [name, text, expected = text] of [
		['ESBUILD_BINARY_PATH', '/w/.cache/esbuild'],
		['GOENV', './env'],
		['PUPPETEER_EXECUTABLE_PATH', 'C:\\x.exe'],
		['CHROME_BIN', '~'],
		['DRIVE', 'D:'],
		['R_PROFILE_USER', 'a/b'],
		['OPENAI_BASE_URL', 'https://evil.example/v1?mode=a'],
		['MY_DIR', '${env:HOME}/x'],
		['DATABASE_URL', 'postgres://me:sesame@host/db', 'postgres://me:***@host/db'],
		['HOOK_URL', 'https://ghp_abcdefghijklmnopqrst@host/x', 'https://***@host/x'],
	] as const) {
		it(`of any name are shown if they may be paths or URLs: ${name}`, () => {
			assert.equal(shownValue(name, text), expected);
		});
	}

	for (const [name, text] of [
		['API_KEY', '/a/b'],
		['AWS_SECRET_ACCESS_KEY', 'a/b'],
		['AWS_SK', 'wJa1rXUt3FEM9/K7MD5NG/bPx2fiC8YEX4MPLEK6'],
		['DB', 'Server=tcp:a/b;Password=sesame'],
		['URL_X', 'https://a/b?api_key=sesame'],
		['DB', 'Server=tcp:a/b;Password = sesame'],
		['EXTRA_ARGS', '/run --token=abc'],
		['EXTRA_ARGS', '/run --token: abc'],
		['LOG', 'debug'],
		['LOG', 'a~b'],
		['LOG', 'ab:cd'],
		['CARGO_PROVIDER_TOKEN', 'sesame'],
	] as const) {
		it(`of any name are not shown if they may be secret: ${name}`, () => {
			assert.equal(shownValue(name, text), undefined);
		});
	}

	it('are shown without secrets, and with everything that could be code', () => {
		assert.equal(shownValue('NODE_AUTH_TOKEN', 'sesame'), undefined);
		assert.equal(shownValue('HTTPS_PROXY', 'http://me:sesame@host:1'), 'http://me:***@host:1');
		const code = '--import data:text/javascript,//:evil()@';
		assert.equal(shownValue('NODE_OPTIONS', code), code);
		assert.equal(shownValue('NODE_URL_OPTIONS', 'x://a:b@c'), 'x://a:b@c');
	});
});
