export function processIdentity(pid: number): string | undefined;
export function isAlive(pid: number, identity: string): boolean;
export function waitGone(pid: number, identity: string, timeoutMs: number): Promise<boolean>;
export function signal(pid: number, name: NodeJS.Signals): void;
export function commandLine(pid: number): string | undefined;
export function parentOf(pid: number): number | undefined;
