/**
 * Verifies an approval that the person's own key signed: the statement, the signature, and the entry of the
 * transparency log that enrolled the key for this person.
 */
import { readSignedStatement, type SignedStatement } from './approval.ts';
import { verifyAssertion, type Assertion } from './assertion.ts';
import { fromBase64url, fromHex } from '../bytes.ts';
import { keyEntry, keyHash } from './key-entry.ts';
import { leafHash, verifyInclusion } from '../log/merkle.ts';

/** Base64url, except for `hashes` in hex. */
export type SignedApproval = {
  statement: string;
  public_key: string;
  assertion: Assertion;
  enrolled: { at: string; leaf_index: number; hashes: string[] };
};

export type SignedApprovalTrust = {
  origin: string;
  rpId: string;
  /** Code of the document that the approval must belong to. */
  code: string;
  /** A tree that the log has signed. */
  tree: { size: number; root: Uint8Array };
};

/**
 * Verifies the approval and returns its statement.
 * @throws RangeError when it is invalid or for another document
 */
export async function verifySignedApproval(
  signed: SignedApproval,
  { origin, rpId, code, tree }: SignedApprovalTrust,
): Promise<SignedStatement> {
  const { statement, assertion, enrolled } = signed;
  const publicKey = fromBase64url(signed.public_key);
  const stated = readSignedStatement(statement);
  if (stated.document.code !== code) throw new RangeError('for another document');
  const keySha256 = keyHash(publicKey);
  if (stated.key.sha256 !== keySha256) throw new RangeError('for another key');
  await verifyAssertion({ statement, assertion, publicKey, origin, rpId });
  const { at } = enrolled;
  if (at > stated.approved_at) throw new RangeError('enrolled after it signed');
  const leaf = leafHash(keyEntry({ action: 'added', userId: stated.person.user_id, keySha256, at }));
  const proof = enrolled.hashes.map(fromHex);
  if (!verifyInclusion({ leaf, index: enrolled.leaf_index, size: tree.size, root: tree.root, proof }))
    throw new RangeError('the log does not have this key');
  return stated;
}
