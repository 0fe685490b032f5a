import { connect } from 'node:net';
import { startInternalPort } from './internal-port.ts';
import { startRazorpay } from './providers/razorpay.ts';

/** Sends the head of a request and a part of its body, and closes the connection. */
async function cutOff(url: string, path: string, header = 'accept: */*'): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await new Promise((resolve) => socket.once('connect', resolve));
  const head = `POST ${path} HTTP/1.1\r\nhost: ${hostname}\r\n${header}\r\ncontent-length: 10\r\n\r\n{`;
  await new Promise((resolve) => socket.write(head, resolve));
  socket.resetAndDestroy();
}

it('a stub survives a caller that disconnects, and answers the next one', async () => {
  const door = await startInternalPort('secret', {});
  await cutOff(door.url, '/any');
  const { status } = await fetch(door.url, { method: 'POST', body: '{}' });
  expect(status).toBe(401);
  await door.close();
});

it('the card provider survives it too', async () => {
  const razorpay = await startRazorpay();
  const { RAZORPAY_API_URL: url = '', RAZORPAY_KEY_ID: id, RAZORPAY_KEY_SECRET: secret } = razorpay.env;
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  await cutOff(url, '/v1/orders', `authorization: ${authorization}`);
  const { status } = await fetch(`${url}/v1/payments/none`, { headers: { authorization } });
  expect(status).toBe(400);
  await razorpay.stop();
});
