import { ApiError } from './api-error.ts';
import { fetchWords } from './errors/words.ts';

/** A file that was refused after the call that sent it had ended, as the error that the call would have had. */
export async function refusedFile(refusal: {
  code: string;
  detail: string;
  file: string;
}): Promise<ApiError> {
  const { code, detail, file } = refusal;
  const body = { code, detail: [{ loc: 'raw_documents', msg: detail, file }] };
  await fetchWords(body);
  return new ApiError(422, body);
}
