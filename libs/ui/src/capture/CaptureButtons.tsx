import { useTexts } from '@karaar/i18n';
import type { RefObject } from 'react';
import { Button } from '../controls/Button.tsx';
import { captureTexts } from './texts.ts';
import type { CameraState } from './useCamera.ts';

type TakenButtonsProps = {
  /** The primary button. */
  main: RefObject<HTMLButtonElement | null>;
  /** The photo was refused: Retake is the primary action. */
  bad: boolean;
  seen: boolean;
  checking: boolean;
  onRetake: () => void;
  onSubmit: () => void;
};

export function TakenButtons({ main, bad, seen, checking, onRetake, onSubmit }: TakenButtonsProps) {
  const t = useTexts(captureTexts);
  return (
    <>
      <Button
        ref={bad ? main : undefined}
        variant={bad ? 'primary' : 'secondary'}
        icon="refresh"
        onClick={onRetake}
        disabled={checking || !seen}
      >
        {t('retake')}
      </Button>
      <Button
        ref={bad ? undefined : main}
        variant={bad ? 'secondary' : 'primary'}
        icon="tick"
        onClick={onSubmit}
        disabled={!seen}
        loading={checking}
      >
        {t('submit')}
      </Button>
    </>
  );
}

type LiveButtonsProps = {
  main: RefObject<HTMLButtonElement | null>;
  phase: CameraState['phase'];
  onSwitch: () => void;
  onAgain: () => void;
  onCapture: () => void;
};

export function LiveButtons({ main, phase, onSwitch, onAgain, onCapture }: LiveButtonsProps) {
  const t = useTexts(captureTexts);
  return (
    <>
      <Button icon="switchCamera" onClick={onSwitch}>
        {t('switch')}
      </Button>
      {phase === 'failed' ? (
        <Button ref={main} variant="primary" icon="refresh" onClick={onAgain}>
          {t('again')}
        </Button>
      ) : (
        <Button ref={main} variant="primary" icon="camera" onClick={onCapture} disabled={phase !== 'live'}>
          {t('capture')}
        </Button>
      )}
    </>
  );
}
