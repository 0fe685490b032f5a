import { useTexts } from '@karaar/i18n';
import { Button, CameraCapture, fileSize, Banner, Row, Skeleton, Stack } from '@karaar/ui';
import { Suspense, useState } from 'react';
import { Link } from 'react-router';
import { useObjectUrl } from '../../shared/useObjectUrl.ts';
import { useTitle } from '../../shared/useTitle.ts';
import css from './camera.module.css';
import { cameraTestTexts } from './texts.ts';

/** JPEG quality on this page (spec §9). */
const QUALITY = 0.8;

/** Lets anyone try the camera without an account. */
export default function CameraTest() {
  const t = useTexts(cameraTestTexts);
  useTitle(t('title'));
  const [photo, setPhoto] = useState<File | null>(null);
  const url = useObjectUrl(photo);
  return (
    <div className={css.card}>
      <Stack>
        <h1>{t('title')}</h1>
        <p className="k-hidden" role="status">
          {photo ? t('works') : ''}
        </p>
        {photo && url ? (
          <>
            <Banner tone="verified">{t('works')}</Banner>
            <img className={css.photo} src={url} alt={t('photo')} />
            <p className="k-muted k-small k-num">{`${photo.name} · ${fileSize(photo.size)}`}</p>
            <Row>
              <Button icon="refresh" onClick={() => setPhoto(null)}>
                {t('again')}
              </Button>
              <Button as={Link} to="/login" variant="primary">
                {t('toLogin')}
              </Button>
            </Row>
          </>
        ) : (
          <Suspense fallback={<Skeleton height={300} />}>
            <CameraCapture
              instruction={t('lead')}
              guide="face"
              fileName="profile_capture.jpg"
              quality={QUALITY}
              onSubmit={setPhoto}
            />
          </Suspense>
        )}
      </Stack>
    </div>
  );
}
