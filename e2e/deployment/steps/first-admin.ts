import { randomBytes } from 'node:crypto';
import type { Installation } from '../installation.ts';
import type { Operator } from '../operator.ts';

/** Makes the first admin by the documented command, and signs in as one. */
export async function firstAdmin({ url }: Installation, operator: Operator): Promise<void> {
  const password = randomBytes(12).toString('hex');
  await operator.karaar(['create-admin', '--username', 'rehearsal', '--password-stdin'], { input: password });
  const response = await fetch(`${url}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'rehearsal', password }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`the admin's sign-in answered ${response.status} ${text}`);
}
