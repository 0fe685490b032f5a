/** Makes a unit test (`*.test.ts`) fail if it starts a server, opens a connection or runs a program. */
// Not by an import, which would create Jest's copy of these modules before the functions are replaced.
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
// The worker's next file may have another level, so the real functions are kept in Node's own module.
net[REAL] ??= guarded.map(([owner, name]) => owner[name]);
const { testPath } = globalThis.expect.getState();
const isUnit = /(?<!\.int)\.test\.tsx?$/.test(testPath);
for (const [at, [owner, name]] of guarded.entries())
  owner[name] = isUnit
    ? () => {
        throw new Error(`${name}() in a unit test: a test that needs a server or a program is *.int.test.ts`);
      }
    : net[REAL][at];
