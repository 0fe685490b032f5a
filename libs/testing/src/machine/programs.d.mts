export interface Program {
  name: string;
  names: string[];
  debian: string;
  brew?: string;
  /** Installed only where that needs no one's help. */
  optional?: boolean;
  places?: string[];
  /** What to do on Ubuntu, where no package has it. */
  ubuntu?: string;
  override?: string;
  docker?: boolean;
  forTests?: boolean;
  forAllTests?: boolean;
}
export interface Host {
  platform: string;
  isRoot: boolean;
  isDebian: boolean;
  isUbuntu: boolean;
  hasDocker: boolean;
}
export interface InstallPlan {
  apt: string[];
  docker: string[];
  byHand: string[];
}
export function chromiumPath(env: NodeJS.ProcessEnv, path: string): string | undefined;
export function printerPath(env: NodeJS.ProcessEnv, path: string): string | undefined;
export function sofficePath(env: NodeJS.ProcessEnv, path: string): string | undefined;
export function kustomizeCommand(path: string): [program: string, argument: string];
export function missingPrograms(env: NodeJS.ProcessEnv, path: string, command: string): Program[];
export function installPlan(
  missing: Pick<
    Program,
    'name' | 'names' | 'debian' | 'brew' | 'docker' | 'optional' | 'ubuntu' | 'override'
  >[],
  host: Host,
): InstallPlan;
export function installDebian(packages: string[], log: string): Promise<void>;
