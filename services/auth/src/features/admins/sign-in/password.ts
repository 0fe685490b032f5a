/** Admin passwords: argon2id with 19 MiB, t=2, p=1 (OWASP's minimum). */
import { hash, verify } from '@node-rs/argon2';

/** The library's const enum Algorithm.Argon2id does not exist at run time. */
const ARGON2ID = 2;

const OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const hashPassword = (password: string): Promise<string> => hash(password, OPTIONS);
export const isPassword = (hashed: string, password: string): Promise<boolean> => verify(hashed, password);

/** Makes an unknown username take as long as a known one. */
export async function wastePasswordTime(password: string): Promise<void> {
  await hash(password, OPTIONS);
}
