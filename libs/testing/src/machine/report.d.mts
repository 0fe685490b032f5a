export function step<T>(title: string, work: () => Promise<T>): Promise<T>;
export function seconds(since: number): string;
export function say(line: string): void;
export class SetupError extends Error {}
