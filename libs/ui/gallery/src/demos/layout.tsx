import { Button, Columns, Page, Row, Sheet, Stack, StatusStamp, WithAside } from '@karaar/ui';
import { entry, wide, type Group } from '../gallery.ts';

const block = (text: string) => (
  <Sheet>
    <p className="k-muted">{text}</p>
  </Sheet>
);

export const layout: Group = {
  title: 'Layout',
  entries: [
    wide('Page', 'A screen: its heading, a mark, its actions and its content.', {
      whole: (
        <Page
          title="Rent agreement"
          lead="Between Asha Rao and Vikram Shah"
          mark={<StatusStamp status="pending" large />}
          actions={
            <>
              <Button icon="join">Join Document</Button>
              <Button variant="primary" icon="plus">
                Create Document
              </Button>
            </>
          }
        >
          {block('Content')}
        </Page>
      ),
    }),
    wide('WithAside', 'Content with a sidebar; on phones its first card comes before the content.', {
      rest: (
        <WithAside first={block('First of the sidebar')} aside={block('The rest of the sidebar')}>
          {block('Content')}
        </WithAside>
      ),
    }),
    wide('Columns', 'Equal columns of a least width.', {
      three: (
        <Columns min={160}>
          {block('One')}
          {block('Two')}
          {block('Three')}
        </Columns>
      ),
    }),
    entry('Stack and Row', 'Below each other and beside each other, in steps of 8 px.', {
      stack: (
        <Stack gap={1}>
          <Button>First</Button>
          <Button>Second</Button>
        </Stack>
      ),
      row: (
        <Row>
          <Button>First</Button>
          <Button>Second</Button>
        </Row>
      ),
    }),
  ],
};
