/** The user's passkeys for signing, and approvals signed with them. */
import { call } from '@karaar/api-client';
import {
  signingKeysRoutes,
  type SignedAnswer,
  type SigningKey,
} from '@karaar/contracts/documents/signing-keys';
import { queryOptions } from '@tanstack/react-query';
import { signWithPasskey } from './authenticator.ts';

export const keysQuery = queryOptions({
  queryKey: ['documents', 'signing-keys'],
  queryFn: ({ signal }) => call(signingKeysRoutes.signingKeys, {}, { signal }),
});

/** Returns the usable passkeys; fetched each time, because another device may have added or removed one. */
export async function keysToSignWith(): Promise<SigningKey[]> {
  const keys = await call(signingKeysRoutes.signingKeys, {});
  return keys.filter(({ logged }) => logged);
}

/** The server asks to sign other content than was displayed. */
export class OtherStatement extends Error {}

/**
 * Signs the statement of the user's approval with a passkey, after checking that it describes the displayed
 * document.
 * @throws NoPasskey, OtherStatement, and errors of the request
 */
export async function signApproval(
  documentId: string,
  key: SigningKey,
  displayedHash: string | undefined,
): Promise<SignedAnswer> {
  const [{ statement_id, statement, use }, { contentHash, readSignedStatement }, { challengeOf }] =
    await Promise.all([
      call(signingKeysRoutes.signingStatement, { params: { id: documentId }, body: { key_id: key._id } }),
      import(/* webpackChunkName: "signing" */ '@karaar/proof/approval/approval'),
      import(/* webpackChunkName: "signing" */ '@karaar/proof/approval/assertion'),
    ]);
  const stated = readSignedStatement(statement);
  const isDisplayed = contentHash(stated) === displayedHash;
  if (!isDisplayed || stated.document.id !== documentId || use.challenge !== challengeOf(statement))
    throw new OtherStatement();
  return { statement_id, used: await signWithPasskey(use) };
}
