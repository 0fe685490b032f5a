import { useTexts } from '@karaar/i18n';
import { Icon } from '@karaar/ui';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';
import type { Party } from '../../../shared/roles.ts';
import css from '../detail.module.css';

const HINTS = {
  one_image_twice: 'oneImageTwice',
  shared_image: 'sharedImage',
  same_photo: 'samePhoto',
  similar_photo: 'similarPhoto',
  eyes_differ: 'eyesDiffer',
} as const;

/** The findings about a party's images; the server sends them to the creator only. */
export function PhotoNotes({ party: { photo_hints: hints = [] } }: { party: Party }) {
  const t = useTexts(detailTexts);
  return hints.map((hint) => (
    <p key={hint} className={css.hint}>
      <Icon name="alert" size={16} />
      <span>{t(HINTS[hint])}</span>
    </p>
  ));
}
