import { useEffect, useRef, useState, type RefObject } from 'react';
import {
  cameraFault,
  FRAME_WAIT_MS,
  NoFramesError,
  openCamera,
  type CameraFault,
  type Facing,
} from './camera.ts';

export type CameraState = { phase: 'starting' | 'live' } | { phase: 'failed'; text: CameraFault };

const stop = (stream: MediaStream | null) => stream?.getTracks().forEach((track) => track.stop());

/** Resolves at the first frame; rejects with NoFramesError when none comes in time. */
function firstFrame(video: HTMLVideoElement): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new NoFramesError()), FRAME_WAIT_MS);
    const seen = () => {
      if (video.videoWidth === 0) return;
      clearTimeout(timer);
      video.removeEventListener('timeupdate', seen);
      video.removeEventListener('loadeddata', seen);
      resolve();
    };
    video.addEventListener('timeupdate', seen);
    video.addEventListener('loadeddata', seen);
  });
}

/**
 * A camera while the part is shown and `active`: opened, put on the video element, stopped again.
 * @param attempt another number starts the camera anew
 */
export function useCamera(
  active: boolean,
  facing: Facing,
  attempt: number,
): { video: RefObject<HTMLVideoElement | null>; state: CameraState } {
  const video = useRef<HTMLVideoElement | null>(null);
  const [state, setState] = useState<CameraState>({ phase: 'starting' });
  useEffect(() => {
    if (!active) return;
    let gone = false;
    let stream: MediaStream | null = null;
    const start = async () => {
      setState({ phase: 'starting' });
      stream = await openCamera(facing, navigator.mediaDevices);
      const element = video.current;
      if (gone || !element) return stop(stream);
      const frames = firstFrame(element);
      element.srcObject = stream;
      await Promise.all([element.play(), frames]);
      if (!gone) setState({ phase: 'live' });
    };
    start().catch((error: unknown) => {
      stop(stream);
      if (!gone) setState({ phase: 'failed', text: cameraFault(error) });
    });
    return () => {
      gone = true;
      stop(stream);
    };
  }, [active, facing, attempt]);
  return { video, state };
}
