import { Button, IconButton, Menu, TextButton, Tooltip } from '@karaar/ui';
import { Toolbar } from '@karaar/ui/navigation';
import { entry, type Group } from '../gallery.ts';

const nothing = () => undefined;
const tool = (icon: 'bold' | 'italic' | 'heading' | 'list' | 'link', label: string, pressed = false) => ({
  icon,
  label,
  pressed,
  onUse: nothing,
});

export const controls: Group = {
  title: 'Controls',
  entries: [
    entry('Button', 'One primary button per view; reject only for refusing and removing.', {
      primary: <Button variant="primary">Create Agreement</Button>,
      secondary: <Button icon="join">Join Document</Button>,
      quiet: <Button variant="quiet">Refresh</Button>,
      reject: <Button variant="reject">Reject</Button>,
      loading: (
        <Button variant="primary" loading>
          Finalize Document
        </Button>
      ),
      disabled: (
        <Button variant="primary" disabled>
          Pay from Wallet
        </Button>
      ),
      compact: (
        <Button compact icon="plus">
          Add Page
        </Button>
      ),
      'long words': <Button icon="pen">अपनी पहचान सत्यापित करें और दस्तावेज़ स्वीकृत करें</Button>,
    }),
    entry('IconButton', 'An action known by its picture; its label is its name.', {
      rest: <IconButton icon="refresh" label="Refresh" />,
      disabled: <IconButton icon="trash" label="Remove" disabled />,
    }),
    entry('TextButton', 'A text that acts, in a sentence or a field.', {
      rest: <TextButton>Send OTP</TextButton>,
      disabled: <TextButton disabled>Send again in 30 s</TextButton>,
    }),
    entry('Menu', 'Actions that are needed less often.', {
      icon: (
        <Menu
          label="More actions"
          items={[
            { label: 'Download', icon: 'download', onChoose: nothing },
            { label: 'Remove', icon: 'trash', reject: true, onChoose: nothing },
          ]}
        />
      ),
      text: <Menu label="Export" text items={[{ label: 'As CSV', onChoose: nothing }]} />,
    }),
    entry(
      'Tooltip',
      'A few words about a control, on hover and focus; never the only place of something needed.',
      {
        rest: (
          <Tooltip text="Included in the transparency log">
            <Button compact icon="chain">
              Blockchain
            </Button>
          </Tooltip>
        ),
      },
    ),
    entry('Toolbar', 'Small actions on one text; one stop for Tab, arrows between tools.', {
      rest: (
        <Toolbar
          label="Formatting"
          tools={[
            tool('bold', 'Bold', true),
            tool('italic', 'Italic'),
            tool('heading', 'Heading'),
            tool('list', 'List'),
            tool('link', 'Link'),
          ]}
        />
      ),
    }),
  ],
};
