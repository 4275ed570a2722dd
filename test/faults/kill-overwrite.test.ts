import { afterAll, beforeAll, expect, it } from 'vitest';
import { KillStory, points } from './kill.ts';
import { stories } from './kill-stories.ts';

const story = new KillStory(stories['overwrite-partition']);
beforeAll(() => story.prepare());
afterAll(() => story.place.remove());

it.each(Array.from({ length: points }, (_, point) => point))(
  'kill -9 at point %i leaves the old state or the new one, and the rerun heals',
  (point) => story.at(point),
);

it('the points fall on both sides of the commit', () => {
  expect(story.seen.old).toBeGreaterThan(0);
  expect(story.seen.new).toBeGreaterThan(0);
  expect(story.seen.killed).toBeGreaterThan(points / 2);
});
