/** The sessions of the demo users, by the public API and the sandbox's inbox of text messages. */
export const ASHA = '+919000000001';
export const VIKRAM = '+919000000002';

/** @returns the local storage of a browser whose user has signed in before, and the user's ID */
export async function signInDemoUser(
  url: string,
  phone: string,
): Promise<{ storage: { token: string; user: string }; charId: string }> {
  await post(`${url}/api/auth/send-otp`, { phone_no: phone });
  const inbox = await fetch(`${url}/dev/sms?phone_no=${encodeURIComponent(phone)}`);
  const [newest] = (await inbox.json()) as { code: string | null }[];
  const answer = await post(`${url}/api/auth/login`, { phone_no: phone, otp: newest?.code });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const profile = await fetch(`${url}/api/users/profile`, { headers: { authorization: `Bearer ${token}` } });
  const { user_id, char_id, name, email, phone_no } = (await profile.json()) as Record<string, string>;
  const completeness = { isComplete: true, completionPercentage: 100, missing: [] };
  const user = { user_id, char_id, name, email, phone_no, is_admin: false, profile: completeness };
  return { storage: { token, user: JSON.stringify(user) }, charId: char_id ?? '' };
}

async function post(url: string, body: unknown): Promise<Response> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status} ${await answer.text()}`);
  return answer;
}
