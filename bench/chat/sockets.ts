/** Sockets that acknowledge messages as pages do. Thousands of socket.io clients would use too much processor time. */
export type Order = { url: string; tokens: string[] };
export type SocketEvent = { kind: 'open' } | { kind: 'got'; content: string } | { kind: 'closed' };

const AT_ONCE = 50;

type NewMessage = { message: { content: string; seq: number; sender_id: string; receiver_id: string } };

const report = (event: SocketEvent) => process.send?.(event);

function open(url: string, token: string): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
  const me = (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string })
    .sub;
  return new Promise((resolve, reject) => {
    socket.onerror = () => reject(new Error('A socket could not be opened'));
    socket.onclose = () => report({ kind: 'closed' });
    socket.onmessage = ({ data }) => {
      const text = String(data);
      if (text.startsWith('0')) socket.send(`40${JSON.stringify({ token })}`);
      else if (text === '2') socket.send('3');
      else if (text.startsWith('40')) resolve();
      else if (text.startsWith('44')) reject(new Error(`A socket was refused: ${text}`));
      else if (text.startsWith('42["message.new"')) {
        const [, { message }] = JSON.parse(text.slice(2)) as [string, NewMessage];
        if (message.receiver_id !== me) return;
        report({ kind: 'got', content: message.content });
        socket.send(
          `42${JSON.stringify(['delivered', { from: message.sender_id, up_to_seq: message.seq }])}`,
        );
      }
    };
  });
}

async function openAll({ url, tokens }: Order): Promise<void> {
  const queue = [...tokens];
  const work = async () => {
    for (let token = queue.pop(); token; token = queue.pop()) await open(url, token);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  report({ kind: 'open' });
}

// A rejection ends this process, and the benchmark with it.
process.on('message', (order: Order) => void openAll(order));
