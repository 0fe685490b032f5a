import { ApiError } from './api-error.ts';
import { fetchWords } from './errors/words.ts';

/** Returns the error for a file that was refused after its upload request had ended. */
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
