import { ApiError } from './api-error.ts';
import { fetchWords } from './errors/words.ts';

/**
 * Returns the error for a request with an unreadable file, which was changed, moved or deleted after it was
 * chosen; browsers report that as a network failure. Undefined if all files can be read.
 */
export async function unreadableFile(body: unknown): Promise<ApiError | undefined> {
  if (!(body instanceof FormData)) return undefined;
  for (const file of [...body.values()]) {
    if (!(file instanceof File) || (await isReadable(file))) continue;
    const msg = `${file.name} can no longer be read: it was changed, moved or deleted after you chose it. Choose it again.`;
    const answer = { code: 'file_gone', detail: [{ msg, file: file.name }] };
    await fetchWords(answer);
    return new ApiError(422, answer);
  }
  return undefined;
}

const isReadable = (file: File): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
