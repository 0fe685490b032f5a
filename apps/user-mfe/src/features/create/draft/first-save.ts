import { ApiError } from '@karaar/api-client';

type Steps<Content, Draft> = {
  create: (content: Content, idempotencyKey: string) => Promise<string>;
  read: (id: string) => Promise<Draft>;
};

/**
 * Returns a function that makes the draft of a form once, and reads it. A creation without an answer is repeated with
 * its own content and key, whatever was typed meanwhile: the service refuses the key with another content, and
 * another key would make a second draft.
 * @returns the draft, and the content that it was made of. Throws the errors of `create` and `read`.
 */
export function firstSave<Content, Draft>({ create, read }: Steps<Content, Draft>) {
  let attempt: { content: Content; key: string; id?: string } | undefined;
  return async (latest: Content): Promise<{ draft: Draft; content: Content }> => {
    const current = (attempt ??= { content: latest, key: crypto.randomUUID() });
    try {
      current.id ??= await create(current.content, current.key);
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500;
      if (isRefused) attempt = undefined;
      throw error;
    }
    return { draft: await read(current.id), content: current.content };
  };
}
