import { useEffect, useRef, useState, type RefObject } from 'react';
import {
  cameraFault,
  CameraLostError,
  FRAME_WAIT_MS,
  listCameras,
  NoFramesError,
  openCamera,
  type CameraChoice,
  type CameraDevice,
  type CameraFault,
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

/** Whether the page is in view: a camera behind another tab is a camera that nobody asked for. */
function useInView(): boolean {
  const [inView, setInView] = useState(() => document.visibilityState === 'visible');
  useEffect(() => {
    const look = () => setInView(document.visibilityState === 'visible');
    // A page that is kept for the way back is hidden before it is stored.
    const leave = () => setInView(false);
    document.addEventListener('visibilitychange', look);
    window.addEventListener('pagehide', leave);
    window.addEventListener('pageshow', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('pageshow', look);
    };
  }, []);
  return inView;
}

/**
 * A camera while the part is shown, the page in view and `active`: opened, put on the video element, stopped again.
 * @param attempt another number starts the camera anew
 */
export function useCamera(
  active: boolean,
  { facing, deviceId }: CameraChoice,
  attempt: number,
): { video: RefObject<HTMLVideoElement | null>; state: CameraState; cameras: readonly CameraDevice[] } {
  const video = useRef<HTMLVideoElement | null>(null);
  const [state, setState] = useState<CameraState>({ phase: 'starting' });
  const [cameras, setCameras] = useState<readonly CameraDevice[]>([]);
  const wanted = useInView() && active;
  useEffect(() => {
    if (!wanted) return;
    let gone = false;
    let stream: MediaStream | null = null;
    const { mediaDevices } = navigator as { mediaDevices?: MediaDevices };
    const fail = (error: unknown) => {
      stop(stream);
      if (!gone) setState({ phase: 'failed', text: cameraFault(error) });
    };
    const start = async () => {
      setState({ phase: 'starting' });
      stream = await openCamera(deviceId === undefined ? { facing } : { facing, deviceId }, mediaDevices);
      const element = video.current;
      if (gone || !element) return stop(stream);
      // `ended` comes when the device is pulled out or taken away, not when we stop it ourselves.
      stream.getVideoTracks()[0]?.addEventListener('ended', () => {
        void listCameras(mediaDevices).then((left) => fail(new CameraLostError(left.length)), fail);
      });
      const frames = firstFrame(element);
      element.srcObject = stream;
      await Promise.all([element.play(), frames]);
      const found = await listCameras(mediaDevices);
      if (gone) return;
      setCameras(found);
      setState({ phase: 'live' });
    };
    start().catch(fail);
    return () => {
      gone = true;
      stop(stream);
    };
  }, [wanted, facing, deviceId, attempt]);
  return { video, state, cameras };
}
