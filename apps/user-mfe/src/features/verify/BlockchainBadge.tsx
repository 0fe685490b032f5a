import { call } from '@karaar/api-client';
import type { Document } from '@karaar/contracts/documents/http';
import { logRoutes, type LogProof } from '@karaar/contracts/documents/log';
import { useTexts } from '@karaar/i18n';
import { Badge, Facts, formatDateTime, Icon, Modal, Banner, Stack } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { ProofFileButton } from './ProofFileButton.tsx';
import { ReceiptButton } from './ReceiptButton.tsx';
import { verifyTexts } from './texts.ts';
import css from './verify.module.css';

type Verified = { proof: LogProof; holds: boolean; seenBy: string | undefined };

/**
 * Fetches the proof and verifies it in the browser, so that the badge does not depend on trust in the server.
 */
async function verifiedProof(id: string, signal: AbortSignal): Promise<Verified> {
  const [proof, { checkPlace, logTrust, placeHolds }, { fromHex }] = await Promise.all([
    call(logRoutes.logProof, { params: { id } }, { signal }),
    import(/* webpackChunkName: "proof" */ '@karaar/proof/seal/check-place'),
    import(/* webpackChunkName: "proof" */ '@karaar/proof/bytes'),
  ]);
  const holds = placeHolds(proof, proof.keys);
  if (!holds) return { proof, holds, seenBy: undefined };
  const [seen] = checkPlace(proof, fromHex(proof.sha256), logTrust(proof.keys)).cosignedAt;
  return { proof, holds, seenBy: seen && `${seen.witness}, ${formatDateTime(seen.time.toISOString())}` };
}

/** The Blockchain badge: green once its proof is verified, grey if it cannot be; opens the proof. */
export function BlockchainBadge({ document }: { document: Document }) {
  const t = useTexts(verifyTexts);
  const [opened, setOpened] = useState(false);
  const { data } = useQuery({
    queryKey: ['log-proof', document.document_id],
    queryFn: ({ signal }) => verifiedProof(document.document_id, signal),
    staleTime: 60_000,
  });
  const holds = data?.holds === true;
  return (
    <>
      <button
        type="button"
        className={css.badge}
        onClick={() => setOpened(true)}
        data-verified={holds}
        title={holds ? t('proofTitle') : t('badgeUnverified')}
      >
        <Badge tone={holds ? 'verified' : 'neutral'}>
          <Icon name="chain" size={16} />
          <span>{t('badge')}</span>
        </Badge>
      </button>
      <Modal title={t('proofTitle')} opened={opened} onClose={() => setOpened(false)} width={560}>
        <Stack gap={2}>
          <Banner tone={holds ? 'verified' : 'waiting'}>{t(holds ? 'proofHolds' : 'proofFails')}</Banner>
          {data && <ProofFacts verified={data} />}
          {holds && (
            <>
              <p className="k-muted">{t('receiptNote')}</p>
              <ReceiptButton document={document} />
              <p className="k-muted">{t('proofFileNote')}</p>
              <ProofFileButton document={document} />
            </>
          )}
          <Link to={`/verify/${document.document_code}`}>{t('publicPage')}</Link>
        </Stack>
      </Modal>
    </>
  );
}

function ProofFacts({ verified: { proof, seenBy } }: { verified: Verified }) {
  const t = useTexts(verifyTexts);
  return (
    <Facts
      entries={[
        [t('place'), t('placeValue', { index: proof.leaf_index, size: proof.tree_size })],
        [t('proofLog'), proof.checkpoint.split('\n')[0]],
        [t('sealedAt'), formatDateTime(proof.sealed_at)],
        [t('seenBy'), seenBy],
        [t('hash'), <span className={css.hash}>{proof.sha256}</span>],
      ]}
    />
  );
}
