import { ApiError } from '@karaar/api-client';

type Steps<Content, Sent, Draft> = {
  send: (content: Content, idempotencyKey: string) => Promise<Sent>;
  /** Returns the draft as it was saved. */
  read: (sent: Sent) => Promise<Draft>;
};

/**
 * Returns functions that save a draft, and that end an unanswered save. A save without an answer is repeated with its own content and key, whatever
 * was typed meanwhile: the service refuses the key with another content, and another key would make a second draft
 * or use an upload twice.
 * `save` returns the draft, and the content that it was saved with; `unanswered` sends an unanswered save again and
 * returns its answer, or undefined if none is open. They throw the errors of `send` and `read`.
 */
export function repeatedSave<Content, Sent, Draft>({ send, read }: Steps<Content, Sent, Draft>) {
  let attempt: { content: Content; key: string; sent?: Sent } | undefined;
  const answerOf = async (current: NonNullable<typeof attempt>): Promise<Sent> => {
    try {
      return (current.sent ??= await send(current.content, current.key));
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500;
      if (isRefused) attempt = undefined;
      throw error;
    }
  };
  return {
    save: async (latest: Content): Promise<{ draft: Draft; content: Content }> => {
      const current = (attempt ??= { content: latest, key: crypto.randomUUID() });
      const draft = await read(await answerOf(current));
      attempt = undefined;
      return { draft, content: current.content };
    },
    unanswered: async (): Promise<Sent | undefined> => attempt && answerOf(attempt),
  };
}
