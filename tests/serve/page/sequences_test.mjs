// Patterns of several steps: what comes later in the game.
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { sampleFiles } from './server.mjs'
import { SAMPLES, addressOf, browser, serve, text, using } from './support.mjs'

serve(sampleFiles(SAMPLES))

const games = (page) => page.getByRole('list', { name: 'Games with the pattern' }).getByRole('link')

// What the API finds; the page shows the same games.
async function found(page, query) {
    const answer = await page.evaluate(async (asked) => (await fetch(`api/v1/find?${asked}`)).json(), query)
    return answer.items
}

describe('sequences', { concurrency: 2 }, () => {
    using('patterns: a capture and the next ply', '?view=patterns', {}, async (page) => {
        const move = page.getByLabel('Move', { exact: true })
        await move.fill('white xf7')
        await page.getByRole('button', { name: '+ Later in the game' }).click()
        assert.equal(await move.inputValue(), '')
        await move.fill('black Kxf7')
        await page.getByLabel('The next step comes').selectOption('one ply later')
        await browser.axe(page)
        await page.getByRole('button', { name: 'Search' }).click()
        await page.waitForURL(/move=white\+xf7&then=black\+Kxf7&streak=1/)
        await games(page).first().waitFor()
        const hits = await found(page, 'move=white xf7&then=black Kxf7&streak=true')
        assert.ok(hits.length > 0)
        assert.equal(await games(page).count(), hits.length)
        // The steps are on the board of the game.
        await games(page).first().click()
        const steps = page.getByRole('navigation', { name: 'Steps' }).getByRole('link')
        await steps.nth(1).waitFor()
        assert.equal(await steps.count(), hits[0].steps.length)
        await steps.nth(1).click()
        await page.waitForURL(new RegExp(`ply=${hits[0].steps[1]}$`))
        await page.getByText('Count all').click()
        await page.getByText(`${hits.length} games`).waitFor()
        // Each step is kept, also after a reload.
        await page.reload()
        const step = (name) => page.getByRole('group', { name: 'Steps' }).getByRole('button', { name })
        assert.equal(await move.inputValue(), 'white xf7')
        await step('2. black Kxf7').click()
        assert.equal(await move.inputValue(), 'black Kxf7')
        await page.getByRole('button', { name: 'Remove this step' }).click()
        assert.equal(await page.getByRole('group', { name: 'Steps' }).count(), 0)
        await page.getByRole('button', { name: 'Search' }).click()
        await page.waitForFunction(() => !/then|streak/.test(location.search))
    })

    using('patterns: a second board within some plies', '?view=patterns', {}, async (page) => {
        const boards = { first: '*/*/*/*/???P*/*/*/*', second: '*/*/*/???P*/*/*/*/*' }
        const board = page.getByLabel('Pattern', { exact: true })
        await board.fill(boards.first)
        await page.getByRole('button', { name: '+ Later in the game' }).click()
        await board.fill(boards.second)
        await page.getByLabel('Material', { exact: true }).fill('Q=1 q=1')
        await page.getByLabel('The next step comes').selectOption('within some plies')
        await page.getByLabel('Plies', { exact: true }).fill('4')
        await page.getByRole('button', { name: 'Step 1' }).click()
        assert.equal(await board.inputValue(), boards.first)
        await page.getByRole('button', { name: 'd4 white pawn' }).waitFor()
        await page.getByRole('button', { name: 'Search' }).click()
        await page.waitForURL(/within=4/)
        assert.equal(addressOf(page).get('then'), `${boards.second} Q=1 q=1`)
        await games(page).first().waitFor()
        await browser.quiet(page)
        const query = `pattern=${boards.first}&then=${boards.second} Q%3D1 q%3D1&within=4&limit=20`
        const hits = await found(page, query)
        assert.equal(await games(page).count(), hits.length)
        assert.ok(hits.every(({ steps }) => steps[1] - steps[0] <= 4))
    })

    using('patterns: an example of two steps, by touch', '?view=patterns', { width: 'phone' }, async (page) => {
        await page.getByRole('button', { name: 'Exchange sacrifice on c3' }).click()
        await page.waitForURL(/move=black\+Rxc3&then=white\+bxc3&streak=1/)
        await page.getByRole('group', { name: 'Steps' }).getByText('2. white bxc3').waitFor()
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        assert.equal(wide, 0)
        await browser.quiet(page)
    })

    using('patterns: a step that cannot be read', '?view=patterns', { language: 'de' }, async (page) => {
        await page.getByLabel('Zug', { exact: true }).fill('Nf3')
        await page.getByRole('button', { name: '+ Später in der Partie' }).click()
        await page.getByLabel('Zug', { exact: true }).fill('Zf9')
        await page.getByRole('button', { name: 'Suchen' }).click()
        const failure = page.getByRole('alert')
        await failure.waitFor()
        assert.match(await text(failure), /nicht lesbar/)
        page.wrong = page.wrong.filter((what) => !/\b400\b/.test(what))
    })
})
