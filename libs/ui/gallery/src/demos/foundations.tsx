import { Brand, Icon, Seal, Wordmark, type IconName } from '@karaar/ui';
import { Picture, type PictureName } from '@karaar/ui/pictures';
import { shapes } from '../../../src/icons/shapes.ts';
import { entry, wide, type Group } from '../gallery.ts';
import css from '../gallery.module.css';

const colours = [
  'paper',
  'sheet',
  'raised',
  'sunken',
  'ink',
  'ink-2',
  'ink-3',
  'line',
  'line-strong',
  'line-field',
  'blue',
  'blue-text',
  'blue-soft',
  'seal',
  'seal-ink',
  'seal-soft',
  'green',
  'green-soft',
  'amber',
  'amber-soft',
  'neutral',
  'neutral-soft',
];
const names = Object.keys(shapes) as IconName[];
const pictures: PictureName[] = [
  'documents',
  'people',
  'chat',
  'wallet',
  'search',
  'failed',
  'offline',
  'sealed',
  'face',
  'eye',
  'signature',
  'thumb',
];

export const foundations: Group = {
  title: 'Foundations',
  entries: [
    entry('Brand', 'The mark, a round seal impression, and करार beside Karaar.', {
      'mark and wordmark': <Brand />,
      seal: <Seal size={72} />,
      wordmark: <Wordmark height={28} />,
    }),
    wide(
      'Colour',
      'Blue is for what you can do, red for the seal and rejection, green verified, amber waiting.',
      {
        tokens: (
          <div className={css.swatches}>
            {colours.map((name) => (
              <span key={name} className={css.swatch}>
                <span className={css.patch} style={{ background: `var(--k-${name})` }} />
                {name}
              </span>
            ))}
          </div>
        ),
      },
    ),
    wide('Type', 'Four sizes; figures are tabular.', {
      '28': <h1>करार · Agreement in writing</h1>,
      '20': <h2>करार · Agreement in writing</h2>,
      '16': <p>Both sides sign. समझौते पर दोनों पक्ष हस्ताक्षर करते हैं। ₹1,00,000.00</p>,
      '14': <p className="k-small k-muted">Created 21 Nov 2026, 5:30 am · தமிழ் · বাংলা · मराठी · తెలుగు</p>,
    }),
    wide('Icon', 'Line icons in the colour of the text; the control around one carries the name.', {
      all: (
        <div className={css.icons}>
          {names.map((name) => (
            <span key={name}>
              <Icon name={name} size={24} />
              {name}
            </span>
          ))}
        </div>
      ),
    }),
    wide('Picture', 'Drawings in paper, ink and seal for empty screens and steps.', {
      all: (
        <div className={css.pictures}>
          {pictures.map((name) => (
            <figure key={name}>
              <Picture name={name} size={140} />
              {name}
            </figure>
          ))}
        </div>
      ),
    }),
  ],
};
