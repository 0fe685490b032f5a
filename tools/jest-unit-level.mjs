/**
 * Holds the lowest level: a file `*.test.ts` starts no server, opens no connection and runs no program. A test that
 * does so fails, and the error says which name its file needs.
 */
// An import would make Jest's copy of these modules, with the real functions, before they are replaced.
const childProcess = process.getBuiltinModule('node:child_process');
const net = process.getBuiltinModule('node:net');

const REAL = Symbol.for('karaar.unit-level');
const guarded = [
  [net.Socket.prototype, 'connect'],
  [net.Server.prototype, 'listen'],
  [childProcess.ChildProcess.prototype, 'spawn'],
  [childProcess, 'spawnSync'],
  [childProcess, 'execFileSync'],
  [childProcess, 'execSync'],
];
// The worker's next file may be of another level, so Node's own module keeps the real functions for it.
net[REAL] ??= guarded.map(([owner, name]) => owner[name]);
const { testPath } = globalThis.expect.getState();
const isUnit = /(?<!\.int)\.test\.tsx?$/.test(testPath);
for (const [at, [owner, name]] of guarded.entries())
  owner[name] = isUnit
    ? () => {
        throw new Error(`${name}() in a unit test: a test that needs a server or a program is *.int.test.ts`);
      }
    : net[REAL][at];
