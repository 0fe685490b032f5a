import { useTexts } from '@karaar/i18n';
import type { ReactNode } from 'react';
import { Button } from '../controls/Button.tsx';
import { Icon, type IconName } from '../icons/Icon.tsx';
import { uiTexts } from '../texts.ts';
import css from './feedback.module.css';

/** An empty page or list: names its content and offers the first step. */
export function EmptyState({
  icon,
  title,
  text,
  action,
}: {
  icon: IconName;
  title: string;
  text: string;
  action?: ReactNode;
}) {
  return (
    <div className={css.state}>
      <span className={css.stateIcon}>
        <Icon name={icon} size={26} />
      </span>
      <h3>{title}</h3>
      <p className={css.stateText}>{text}</p>
      {action && <div className={css.stateAction}>{action}</div>}
    </div>
  );
}

function TornSheet() {
  return (
    <svg className={css.torn} width="104" height="83" viewBox="0 0 120 96" aria-hidden="true">
      <path
        className={css.tornSheet}
        d="M39 10h29l14 14v17l-9 6-8-7-9 8-9-7-11 7V13a3 3 0 0 1 3-3zM36 62l11-7 9 7 9-8 8 7 9-6v24a3 3 0 0 1-3 3H39a3 3 0 0 1-3-3z"
      />
      <path d="M68 10v14h14" />
      <path className={css.tornWords} d="M45 26h14M45 34h26M45 70h28M45 78h14" />
    </svg>
  );
}

/** A failed load: the fault, and a retry button. */
export function ErrorState({
  title,
  text,
  action,
  onRetry,
  retrying,
}: {
  title: string;
  text?: string;
  /** The way on, if a retry cannot help. */
  action?: ReactNode;
  onRetry?: () => void;
  retrying?: boolean;
}) {
  const t = useTexts(uiTexts);
  return (
    <div className={css.state} role="alert">
      <TornSheet />
      <h3>{title}</h3>
      {text && <p className={css.stateText}>{text}</p>}
      {action && <div className={css.stateAction}>{action}</div>}
      {onRetry && (
        <div className={css.stateAction}>
          <Button variant="primary" icon="refresh" onClick={onRetry} loading={retrying ?? false}>
            {t('retry')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** A grey placeholder: `lines` of text, or one block of `height` pixels. */
export function Skeleton({ height, lines = 1 }: { height?: number; lines?: number }) {
  if (height) return <div className={css.skeleton} data-skeleton style={{ height }} aria-hidden="true" />;
  return (
    <div className={css.skeletonLines} data-skeleton aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => (
        <div
          key={line}
          className={css.skeleton}
          style={{ height: 14, width: line === lines - 1 ? '62%' : '100%' }}
        />
      ))}
    </div>
  );
}

/** The placeholder of a loading screen. */
export function PageSkeleton() {
  const t = useTexts(uiTexts);
  return (
    <div className={css.page} role="status" aria-label={t('loading')}>
      <Skeleton height={34} />
      <Skeleton height={140} />
      <Skeleton height={260} />
    </div>
  );
}

/** Progress from 0 to 1; indeterminate without a value. */
export function ProgressBar({ label, value }: { label: string; value?: number | undefined }) {
  const percent = value === undefined ? undefined : Math.round(value * 100);
  return (
    <div className={css.progress}>
      <div className={css.progressLabel}>
        <span>{label}</span>
        {percent !== undefined && <span className="k-num">{`${percent} %`}</span>}
      </div>
      <div
        className={css.track}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <div
          className={css.bar}
          data-endless={percent === undefined || undefined}
          style={percent === undefined ? {} : { width: `${percent}%` }}
        />
      </div>
    </div>
  );
}

export type BannerTone = 'info' | 'waiting' | 'warning' | 'verified' | 'rejected';
const bannerIcons: Record<BannerTone, IconName> = {
  info: 'info',
  waiting: 'clock',
  warning: 'alert',
  verified: 'check',
  rejected: 'alert',
};

/** A note in the page about the present state and the next step. */
export function Banner({
  tone = 'info',
  children,
  action,
}: {
  tone?: BannerTone;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={css.banner} data-tone={tone}>
      <Icon name={bannerIcons[tone]} />
      <div className={css.bannerText}>{children}</div>
      {action}
    </div>
  );
}
