/** The session of a demo user, by the public API and the sandbox's inbox of text messages. */
const PHONE = '+919000000001';

/** @returns what the browser of somebody who has signed in before has in its local storage */
export async function signInDemoUser(url: string): Promise<{ token: string; user: string }> {
  await post(`${url}/api/auth/send-otp`, { phone_no: PHONE });
  const inbox = await fetch(`${url}/dev/sms?phone_no=${encodeURIComponent(PHONE)}`);
  const [newest] = (await inbox.json()) as { code: string | null }[];
  const answer = await post(`${url}/api/auth/login`, { phone_no: PHONE, otp: newest?.code });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const profile = await fetch(`${url}/api/users/profile`, { headers: { authorization: `Bearer ${token}` } });
  const { user_id, char_id, name, email, phone_no } = (await profile.json()) as Record<string, string>;
  const completeness = { isComplete: true, completionPercentage: 100, missing: [] };
  const user = { user_id, char_id, name, email, phone_no, is_admin: false, profile: completeness };
  return { token, user: JSON.stringify(user) };
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
