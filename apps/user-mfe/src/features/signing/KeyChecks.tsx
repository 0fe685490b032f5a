import { call, toastText } from '@karaar/api-client';
import {
  restartWatch,
  denyKey,
  dropKey,
  keyWatch,
  knowKey,
  lookForKeys,
  onWatched,
  type KeyWatch,
  type WatchFinding,
} from '@karaar/api-client/key-watch';
import { signingKeysRoutes, type SigningKey } from '@karaar/contracts/documents/signing-keys';
import { useTexts } from '@karaar/i18n';
import { Button, formatDate, Banner, Row, Stack, toast, useConfirm } from '@karaar/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore, type ReactNode } from 'react';
import { Link } from 'react-router';
import { useUser } from '../../shared/useShell.ts';
import { profileTexts } from '../../shared/catalogs/profile/texts.ts';
import { keysQuery } from './keys.ts';

/** Milliseconds until the next part of a long log is read. */
const READ_ON_MS = 500;

/**
 * Warns about the user's passkeys as seen by this device. Checks the log when it is shown and when the list
 * changes.
 */
export function KeyChecks({ keys }: { keys: readonly SigningKey[] }) {
  const { user_id: userId } = useUser();
  // A string, because React compares snapshots by identity.
  const text = useSyncExternalStore(onWatched, () => JSON.stringify(keyWatch(userId)));
  const watch = JSON.parse(text) as KeyWatch;
  const listed = keys.map(({ _id, logged }) => `${_id} ${logged}`).join();
  const look = useQuery({
    queryKey: ['documents', 'key-watch', userId, listed],
    queryFn: () => lookForKeys(userId).then(() => true),
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state: { status } }) =>
      status === 'success' && keyWatch(userId).progress ? READ_ON_MS : false,
  });
  return (
    <Stack gap={1.5}>
      {watch.findings.map((finding) => (
        <div key={`${finding.kind} ${finding.keySha256}`} role="alert">
          <Finding userId={userId} finding={finding} keys={keys} />
        </div>
      ))}
      <LogFaultBanner userId={userId} watch={watch} />
      <Checked watch={watch} hasFailed={look.isError} />
    </Stack>
  );
}

type FindingProps = { userId: string; finding: WatchFinding; keys: readonly SigningKey[] };

function Finding({ userId, finding, keys }: FindingProps) {
  const t = useTexts(profileTexts);
  const { keySha256 } = finding;
  const listed = keys.find(({ sha256 }) => sha256 === keySha256);
  if (finding.kind === 'unknown') return <Unknown userId={userId} finding={finding} listed={listed} />;
  if (finding.kind === 'unlogged') return <Warning text={t('watchUnlogged', { name: listed?.name ?? '' })} />;
  const date = formatDate(finding.at);
  if (finding.kind === 'unlisted') return <Warning text={t('watchUnlisted', { date })} />;
  return (
    <Warning text={t('watchDenied', { date })}>
      <Button compact onClick={() => knowKey(userId, keySha256)}>
        {t('watchTold')}
      </Button>
    </Warning>
  );
}

type UnknownProps = {
  userId: string;
  finding: Extract<WatchFinding, { kind: 'unknown' }>;
  listed: SigningKey | undefined;
};

function Unknown({ userId, finding: { keySha256, at, removedAt }, listed }: UnknownProps) {
  const t = useTexts(profileTexts);
  const queries = useQueryClient();
  const deny = useMutation({
    mutationFn: async () => {
      if (listed) await call(signingKeysRoutes.removeSigningKey, { params: { id: listed._id } });
      dropKey(userId, keySha256);
      denyKey(userId, keySha256);
    },
    onError: (error) => toast.error(toastText(error, t('signingKeyFailed'))),
    onSettled: () => queries.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  const date = formatDate(at);
  const text = removedAt
    ? t('watchUnknownGone', { date, removed: formatDate(removedAt) })
    : t('watchUnknown', { date });
  return (
    <Banner tone="rejected">
      <Stack gap={1}>
        <span>{text}</span>
        <Row>
          <Button compact onClick={() => knowKey(userId, keySha256)} disabled={deny.isPending}>
            {t('watchYes')}
          </Button>
          <Button compact onClick={() => deny.mutate()} loading={deny.isPending}>
            {listed ? t('watchNo') : t('watchNoGone')}
          </Button>
        </Row>
      </Stack>
    </Banner>
  );
}

function Warning({ text, children }: { text: string; children?: ReactNode }) {
  const t = useTexts(profileTexts);
  return (
    <Banner tone="rejected">
      <Stack gap={1}>
        <span>{text}</span>
        <Row>
          <Link to="/contact">{t('watchSupport')}</Link>
          {children}
        </Row>
      </Stack>
    </Banner>
  );
}

function LogFaultBanner({ userId, watch: { fault, isOverdue } }: { userId: string; watch: KeyWatch }) {
  const t = useTexts(profileTexts);
  const { ask, dialog } = useConfirm();
  const queries = useQueryClient();
  const isSeen = fault !== undefined && fault !== 'not-witnessed';
  if (!isSeen && !isOverdue) return null;
  const restart = async () => {
    const question = { title: t('watchAnew'), text: t('watchAnewText'), confirm: t('watchAnew') };
    if (!(await ask(question))) return;
    restartWatch(userId);
    await queries.invalidateQueries({ queryKey: ['documents', 'key-watch'] });
  };
  return (
    <div role="alert">
      <Warning text={isSeen ? t('watchFault') : t('watchOverdue')}>
        <Button compact onClick={() => void restart()}>
          {t('watchAnew')}
        </Button>
      </Warning>
      {dialog}
    </div>
  );
}

function Checked({ watch, hasFailed }: { watch: KeyWatch; hasFailed: boolean }) {
  const t = useTexts(profileTexts);
  const { fault, findings, progress, checkedAt } = watch;
  const say = (): string | undefined => {
    if (hasFailed) return t('watchFailed');
    if (fault === 'not-witnessed') return t('watchNotWitnessed');
    if (progress) return t('watchProgress', progress);
    if (fault || findings.length > 0 || checkedAt === undefined) return undefined;
    return t('watchChecked', { date: formatDate(new Date(checkedAt).toISOString()) });
  };
  const text = say();
  if (text === undefined && (fault || findings.length > 0)) return null;
  // An empty line reserves the place during the first check.
  return <p className="k-muted k-num">{text ?? '\u00a0'}</p>;
}
