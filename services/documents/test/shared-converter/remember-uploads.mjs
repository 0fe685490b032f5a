/**
 * A proxy in front of a converter that answers a repeated upload with the converter's first answer. Hundreds of
 * tests upload the same few files, and reading each takes a fifth of a second.
 */
import { createHash } from 'node:crypto';
import { createServer, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { JOBS } from '@karaar/converting/messages';

/**
 * Starts the proxy on a free port. It passes all other jobs and failures on, and remembers none.
 * @param {string} converterUrl
 */
export async function rememberUploads(converterUrl) {
  /** Responses by the job's path and content. @type {Map<string, Buffer>} */
  const answers = new Map();
  const server = createServer((asked, reply) => {
    answer(asked, reply).catch((error) => reply.destroy(error));
  });

  async function answer(asked, reply) {
    const job = await buffer(asked);
    const key = createHash('sha256').update(`${asked.url}\n`).update(job).digest('hex');
    const known = answers.get(key);
    if (known) return reply.end(known);
    const ended = new AbortController();
    reply.once('close', () => ended.abort());
    const { method, headers } = asked;
    const sent = request(new URL(asked.url, converterUrl), { method, headers, signal: ended.signal });
    const response = await new Promise((resolve, reject) => {
      sent.once('response', resolve).once('error', reject);
      sent.end(job);
    });
    reply.writeHead(response.statusCode, response.headers);
    const chunks = [];
    for await (const chunk of response) {
      chunks.push(chunk);
      reply.write(chunk);
    }
    reply.end();
    const whole = Buffer.concat(chunks);
    if (asked.url === JOBS.prepareUpload && whole.includes('"done"')) answers.set(key, whole);
  }

  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
