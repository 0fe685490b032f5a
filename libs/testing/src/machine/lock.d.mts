export type Lock =
  | { taken: true; release: () => void }
  | { taken: false; holder: { pid: number; identity: string } & Record<string, unknown> };
export function takeLock(file: string, about?: Record<string, unknown>): Lock;
export function waitForLock(file: string): Promise<() => void>;
