import { useTexts } from '@karaar/i18n';
import { SelectField } from '../controls/Field.tsx';
import type { CameraDevice } from './camera.ts';
import css from './capture.module.css';
import { captureTexts } from './texts.ts';

type CameraOptionsProps = {
  cameras: readonly CameraDevice[];
  camera: string | undefined;
  onCamera: (id: string) => void;
  byItself: boolean;
  onByItself: (byItself: boolean) => void;
};

/** The choice of the camera, if there are too many for Switch, and of automatic photos. */
export function CameraOptions({ cameras, camera, onCamera, byItself, onByItself }: CameraOptionsProps) {
  const t = useTexts(captureTexts);
  return (
    <div className={css.options}>
      {cameras.length > 2 && (
        <SelectField
          label={t('chooseCamera')}
          placeholder={t('chooseCamera')}
          options={cameras.map(({ id, name }, i) => ({
            value: id,
            label: name || t('cameraNumber', { number: i + 1 }),
          }))}
          value={camera ?? ''}
          onChange={(event) => event.target.value && onCamera(event.target.value)}
        />
      )}
      <label className={css.byItself}>
        <input type="checkbox" checked={byItself} onChange={(event) => onByItself(event.target.checked)} />
        <span>{t('byItself')}</span>
      </label>
    </div>
  );
}
