import { useTexts } from '@karaar/i18n';
import type { RefObject } from 'react';
import type { CameraChoice } from './camera.ts';
import css from './capture.module.css';
import { captureTexts } from './texts.ts';
import type { useCamera } from './useCamera.ts';
import { COUNTDOWN_SECONDS } from './useCountdown.ts';
import type { Shown } from './useShown.ts';
import { useSettled } from './useSettled.ts';

/** Milliseconds for which advice must be stable before it is announced. */
const SPOKEN_AFTER_MS = 1_000;

type ViewportProps = {
  camera: ReturnType<typeof useCamera>;
  facing: CameraChoice['facing'] | undefined;
  photo: Shown | null;
  picture: RefObject<HTMLImageElement | null>;
  guide: 'face' | 'eye';
  checking: boolean;
  countdown: number | null;
  advice: string | null;
};

/** The live picture or the photo, with visible and announced advice. */
export function Viewport(props: ViewportProps) {
  const { camera, facing, photo, picture, guide, checking, countdown, advice } = props;
  const t = useTexts(captureTexts);
  const { phase } = camera.state;
  const live = photo === null && phase === 'live';
  const takingIn = (seconds: number) => t('takingIn', { seconds });
  const counting = countdown !== null && countdown > 0;
  // The countdown is announced once, not each second.
  const seenAs = photo?.origin === 'device' ? t('chosen') : t('taken');
  const atOnce = photo ? seenAs : countdown !== null && takingIn(COUNTDOWN_SECONDS);
  const said = useSettled(
    checking ? t('checking') : atOnce || (advice ?? ''),
    atOnce && !checking ? 0 : SPOKEN_AFTER_MS,
  );
  return (
    <div className={css.viewport} data-guide={photo ? undefined : guide}>
      {photo ? (
        <img src={photo.url} alt={seenAs} className={css.photo} ref={picture} tabIndex={-1} />
      ) : (
        <video
          ref={camera.video}
          className={css.picture}
          data-mirrored={facing === 'user' || undefined}
          aria-label={t('live')}
          playsInline
          muted
        />
      )}
      {!photo && phase === 'starting' && <p className={css.over}>{t('starting')}</p>}
      {checking && said === t('checking') && <p className={css.over}>{said}</p>}
      {live && <Guide kind={guide} />}
      {live && counting && (
        <span className={css.countdown} aria-hidden="true">
          {countdown}
        </span>
      )}
      {live && (
        <p className={css.advice} aria-hidden="true">
          {counting ? takingIn(countdown) : advice}
        </p>
      )}
      <p className="k-hidden" role="status">
        {live || photo ? said : ''}
      </p>
    </div>
  );
}

function Guide({ kind }: { kind: 'face' | 'eye' }) {
  return (
    <svg className={css.guide} viewBox="0 0 400 300" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      {kind === 'face' ? (
        <ellipse cx="200" cy="148" rx="88" ry="116" />
      ) : (
        <path d="M90 150C130 96 165 82 200 82s70 14 110 68c-40 54-75 68-110 68s-70-14-110-68z" />
      )}
    </svg>
  );
}
