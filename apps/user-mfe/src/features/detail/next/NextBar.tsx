import type { Document, FinalizationProgress } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, Icon, ProgressBar, shortMoney, userName } from '@karaar/ui';
import type { ReactNode } from 'react';
import { useUser } from '../../../shared/useShell.ts';
import css from '../detail.module.css';
import { stepLabel } from '../sealing/finalization.ts';
import type { Next } from './next.ts';
import { waitingFor } from '../../../shared/roles.ts';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

/** The actions of the bar's buttons. */
export type NextDoing = {
  sign: () => void;
  approve: () => void;
  manage: () => void;
  seal: () => void;
  pay: () => void;
  reject: () => void;
};

type NextBarProps = {
  document: Document;
  next: Next;
  /** Of the sealing, while it runs. */
  progress: FinalizationProgress | null;
  /** A line about the next step, for example whom the document waits for. */
  note: ReactNode;
  doing: NextDoing;
  busy: boolean;
  /** True if something must be read again first. */
  stopped: boolean;
  mayReject: boolean;
  /** Shown while the document waits for a person. */
  reminding: ReactNode;
  keeping: ReactNode;
};

/** The next step of this person, always in view: one action, or whom the document waits for. */
export function NextBar(props: NextBarProps) {
  const { document, next, progress, note, doing, busy, stopped, mayReject, reminding, keeping } = props;
  const t = useTexts(detailTexts);
  const { user_id } = useUser();
  const action = actionOf(next, doing, t);
  return (
    <section className={css.next} aria-label={t('nextStep')} data-next={next.kind} data-print="off">
      <div className={css.nextText}>
        {next.kind === 'sealing' ? (
          <Sealing progress={progress} />
        ) : (
          <>
            {next.kind === 'wait' && (
              <p className={css.nextWait}>
                <Icon name="clock" size={20} />
                <span>{waitText(document, next, user_id, t)}</span>
              </p>
            )}
            {note && <p className={css.nextNote}>{note}</p>}
          </>
        )}
      </div>
      <div className={css.nextActions}>
        {mayReject && (
          <Button variant="reject" onClick={doing.reject}>
            {t('rejectAgreement')}
          </Button>
        )}
        {next.kind === 'wait' && reminding}
        {action && (
          <Button
            variant="primary"
            icon={action.icon}
            onClick={action.onPress}
            loading={busy}
            disabled={stopped}
          >
            {action.label}
          </Button>
        )}
        {next.kind === 'keep' && keeping}
      </div>
    </section>
  );
}

function waitText(
  document: Document,
  { names, toSeal }: Extract<Next, { kind: 'wait' }>,
  userId: string,
  t: typeof detailTexts.say,
): string {
  if (toSeal) return t('nextWaitSeal', { names });
  const waiting = waitingFor(document, userId);
  return waiting?.tone === 'waiting' ? t(waiting.message) : t('nextWait', { names });
}

/** The progress of the seal, where the pages are read. */
function Sealing({ progress }: { progress: FinalizationProgress | null }) {
  const t = useTexts(detailTexts);
  if (!progress) return <ProgressBar label={t('finalizeRunning')} />;
  return <ProgressBar label={t(stepLabel(progress))} value={progress.percent / 100} />;
}

type Action = {
  label: string;
  icon: 'pen' | 'check' | 'join' | 'plus' | 'shield' | 'wallet' | 'people';
  onPress: () => void;
};

function actionOf(next: Next, doing: NextDoing, t: typeof detailTexts.say): Action | null {
  switch (next.kind) {
    case 'sign':
      return { label: t('nextSign'), icon: 'pen', onPress: doing.sign };
    case 'approve':
      return { label: t('nextApprove'), icon: 'check', onPress: doing.approve };
    case 'admit':
      return {
        label: t('nextAdmit', { name: userName(next.party.name) }),
        icon: 'join',
        onPress: doing.manage,
      };
    case 'addParty':
      return { label: t('nextAddParty'), icon: 'plus', onPress: doing.manage };
    case 'settle':
      return { label: t('nextSettle'), icon: 'people', onPress: doing.manage };
    case 'seal':
      return { label: t('nextSeal'), icon: 'shield', onPress: doing.seal };
    case 'pay':
      return { label: t('nextPay', { amount: shortMoney(next.rupees) }), icon: 'wallet', onPress: doing.pay };
    case 'sealing':
    case 'over':
    case 'wait':
    case 'keep':
      return null;
  }
}
