export function searchPath(root: string, path?: string): string;
export function findProgram(names: string[], path: string, except?: string): string | undefined;
export function run(
  command: string,
  args: string[],
  options?: { cwd?: string; env?: NodeJS.ProcessEnv; log?: string; timeoutMs?: number },
): Promise<string>;
