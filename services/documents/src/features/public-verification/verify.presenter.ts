import type { Verification } from '@karaar/contracts/documents/verify';
import type { DocumentFinding } from '@karaar/proof/seal/check';

export function presentVerification({
  sha256,
  ...finding
}: DocumentFinding & { sha256: string }): Verification {
  const { seal, log } = finding;
  return {
    valid: finding.valid,
    checks: finding.checks,
    unsealed: finding.unsealed,
    sha256,
    document_code: log?.code ?? null,
    sealed_at: seal?.statedTime.toISOString() ?? null,
    sealed_by: seal?.signer ?? null,
    ...(seal?.ownAuthority ? { own_authority: true } : {}),
    timestamp: seal?.timestamp
      ? { time: seal.timestamp.time.toISOString(), authority: seal.timestamp.authority }
      : null,
    log: log && {
      origin: log.origin,
      leaf_index: log.index,
      tree_size: log.size,
      cosigned: log.cosignedAt.map(({ witness, time }) => ({ witness, time: time.toISOString() })),
    },
  };
}
