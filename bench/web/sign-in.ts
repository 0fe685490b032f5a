/** The session of a demo user, by the public API and the sandbox's inbox of text messages. */
const PHONE = '+919000000001';

/** @returns an access token */
export async function signInDemoUser(url: string): Promise<string> {
  await post(`${url}/api/auth/send-otp`, { phone_no: PHONE });
  const inbox = await fetch(`${url}/dev/sms?phone_no=${encodeURIComponent(PHONE)}`);
  const [newest] = (await inbox.json()) as { code: string | null }[];
  const answer = await post(`${url}/api/auth/login`, { phone_no: PHONE, otp: newest?.code });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return token;
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
