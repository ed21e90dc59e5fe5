// A player's desk: moves are tried and kept, lists and boards follow one another.
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { sampleFiles } from './server.mjs'
import { SAMPLES, addressOf, browser, serve, square, text, using } from './support.mjs'

serve(sampleFiles(SAMPLES))

describe('the desk', { concurrency: 2 }, () => {
    using('games: moves are tried on the board', '?view=games&game=1&ply=3', {}, async (page) => {
        const moves = page.locator('.game-moves')
        const played = await text(moves)
        const drag = async (from, to, button = 'left') => {
            await page.mouse.move(...(await square(page, from)))
            await page.mouse.down({ button })
            await page.mouse.move(...(await square(page, to)), { steps: 4 })
            await page.mouse.up({ button })
        }
        await drag('a7', 'a6')
        await page.waitForURL(/ply=4-0\.1/)
        await browser.quiet(page)
        assert.equal(await text(moves.locator('[aria-current]')), 'a6')
        await page.mouse.click(...(await square(page, 'a2')))
        await page.mouse.click(...(await square(page, 'a4')))
        await page.waitForURL(/ply=4-0\.2/)
        await browser.quiet(page)
        assert.match(await text(moves.locator('.variations')), /^2… ?a6 3\. ?a4$/)
        // An arrow, the wheel, and the move that the game has is no other one.
        await drag('c8', 'g4', 'right')
        await page.locator('.arrow-green').first().waitFor({ state: 'attached' })
        await page.mouse.move(...(await square(page, 'd5')))
        await page.mouse.wheel(0, -100)
        await page.waitForURL(/ply=4-0\.1/)
        await page.mouse.wheel(0, -100)
        await page.waitForURL(/ply=3\b/)
        await browser.quiet(page)
        const next = await text(moves.locator('.cell a').nth(3))
        await page.keyboard.press('ArrowRight')
        await page.waitForURL(/ply=4$/)
        assert.equal(await text(moves.locator('[aria-current]')), next)
        await browser.axe(page)
        // The explorer gets the tried moves, and the game forgets them.
        await moves.locator('.variations a').last().click()
        await page.getByRole('link', { name: 'Explore from here' }).click()
        await page.waitForURL(/,a7a6,a2a4$/)
        await page.goBack()
        await page.getByRole('button', { name: 'Remove tried moves' }).click()
        await page.waitForURL(/ply=4$/)
        assert.equal(await text(moves), played)
    })

    using('explorer: starting again can be taken back', '?play=e2e4,e7e5', {}, async (page) => {
        const line = page.getByRole('group', { name: 'Moves', exact: true })
        await page.keyboard.press('ArrowLeft')
        await page.getByLabel('Type a move').fill('c5')
        await page.keyboard.press('Enter')
        await page.waitForURL(/c7c5$/)
        await page.getByRole('button', { name: 'Start again' }).click()
        await page.waitForURL((url) => !url.search.includes('play'))
        await browser.quiet(page)
        assert.equal(await text(line), 'Play a move on the board or in the table.')
        await page.getByRole('button', { name: 'Bring the moves back' }).click()
        await browser.quiet(page)
        assert.match(await text(line), /^1\. ?e4 e5 1… ?c5$/)
        // From a position, the way leads to the start of the game.
        await page.goto(`${browser.base}?fen=8/8/8/4k3/8/4K3/4P3/8_w_-_-_0_1`)
        await browser.quiet(page)
        await page.getByRole('button', { name: 'Start again' }).click()
        await page.getByRole('heading', { name: 'Starting position' }).waitFor()
        assert.equal(addressOf(page).get('fen'), null)
    })

    using('explorer: speeds and ratings are buttons', '', {}, async (page) => {
        const moves = page.getByRole('table', { name: 'Moves played from this position' })
        const games = async () => parseInt(await text(moves.locator('tfoot .num').first()))
        const all = await games()
        await page.getByRole('button', { name: 'Blitz', exact: true }).click()
        await page.waitForURL(/time-control=blitz/)
        await browser.quiet(page)
        const blitz = await games()
        assert.ok(blitz < all)
        await page.getByRole('button', { name: 'Classical', exact: true }).click()
        await page.waitForURL(/time-control=blitz&time-control=classical/)
        await browser.quiet(page)
        const both = await games()
        assert.ok(both > blitz && both < all)
        await page.getByRole('button', { name: '1600', exact: true }).click()
        await page.waitForURL(/min-elo=1600&max-elo=1999/)
        await browser.quiet(page)
        const group = await games()
        assert.ok(group < both)
        // Another group of ratings brings those between.
        await page.getByRole('button', { name: '2600+', exact: true }).click()
        await page.waitForFunction(() => !location.search.includes('max-elo'))
        await browser.quiet(page)
        assert.ok((await games()) > group)
        const pressed = page.getByRole('group', { name: 'Ratings' }).locator('[aria-pressed=true]')
        assert.deepEqual(await pressed.allInnerTexts(), ['1600', '2000', '2200', '2400', '2600+'])
        // A group within the range stays alone.
        await page.getByRole('button', { name: '2200', exact: true }).click()
        assert.deepEqual(await pressed.allInnerTexts(), ['2200'])
        for (const name of ['Blitz', 'Classical', '2200'])
            await page.getByRole('button', { name, exact: true, pressed: true }).click()
        await page.waitForFunction(() => location.search === '')
        await browser.quiet(page)
        assert.equal(await games(), all)
    })

    using('explorer: an opening by its name', '', {}, async (page) => {
        const field = page.getByLabel(/^FEN,/)
        await field.fill('najd')
        await page.locator('datalist option[value*="Najdorf"]').first().waitFor({ state: 'attached' })
        await field.fill('Najdorf')
        await field.press('Enter')
        await page.waitForURL(/play=e2e4,c7c5,/)
        await page.getByRole('heading', { name: /Sicilian Defense: Najdorf Variation$/ }).waitFor()
        await field.fill('Gurkengambit')
        await field.press('Enter')
        await page.getByText('No game of this database has played an opening called Gurkengambit.').waitFor()
    })

    using('explorer: the moves are sorted by their headings', '?play=e2e4', {}, async (page) => {
        const moves = page.getByRole('table', { name: 'Moves played from this position' })
        const column = async (name) =>
            (await moves.locator(`tbody .${name}`).allInnerTexts()).map((one) => Number(one) || 0)
        const first = await text(moves.locator('tbody th').first())
        const falling = (values) => values.every((value, at) => at === 0 || value <= values[at - 1])
        assert.ok(!falling(await column('rating')))
        await moves.getByRole('button', { name: 'Ø Elo' }).click()
        assert.ok(falling(await column('rating')))
        assert.equal(await moves.locator('[aria-sort=descending]').count(), 1)
        // The order stays for the next position, and after a reload.
        await moves.getByRole('link', { name: 'c5', exact: true }).click()
        await page.waitForURL(/c7c5$/)
        await browser.quiet(page)
        assert.ok(falling(await column('rating')))
        await page.goBack()
        await browser.quiet(page) // a request that a reload cuts off may never end
        await page.reload()
        await browser.quiet(page)
        assert.ok(falling(await column('rating')))
        await moves.getByRole('button', { name: 'Ø Elo' }).click()
        assert.equal(await text(moves.locator('tbody th').first()), first)
    })

    using('games: lists are sorted by their headings', '?view=games', { width: 'wide' }, async (page) => {
        const rows = page.getByRole('list', { name: 'Games', exact: true }).getByRole('link')
        const heads = page.getByRole('group', { name: 'Order' })
        await heads.getByRole('button', { name: 'Moves' }).click()
        await page.waitForURL(/sort=plies/)
        await browser.quiet(page)
        const plies = (await rows.locator('.plies').allInnerTexts()).map(Number)
        assert.ok(plies[0] > 60 && plies.every((one, at) => at === 0 || one <= plies[at - 1]))
        await heads.getByRole('button', { name: 'Date' }).click()
        await page.waitForURL(/sort=date/)
        await page.getByLabel('by event').check()
        await browser.quiet(page)
        const events = page.getByRole('table', { name: 'Events' })
        await events.getByRole('button', { name: 'Players' }).click()
        await page.waitForURL(/sort=players/)
        await events.getByRole('button', { name: 'Event', exact: true }).click()
        await page.waitForURL(/sort=name/)
        await browser.quiet(page)
        assert.equal(await events.getByRole('link').first().innerText(), '18th DSB Congress')
    })

    using('games: the next game without the list, over the end of a page', '?view=games', {}, async (page) => {
        const rows = page.getByRole('list', { name: 'Games', exact: true }).getByRole('link')
        const heading = page.locator('.game-head h2')
        await rows.nth(48).click()
        await page.waitForURL(/game=49/)
        await browser.quiet(page)
        await page.keyboard.press('n')
        await page.waitForURL(/game=50/)
        await browser.quiet(page)
        const last = await text(heading)
        await page.getByRole('button', { name: 'Next game (n)' }).click()
        await page.waitForURL(/game=51/)
        await browser.quiet(page)
        assert.notEqual(await text(heading), last)
        await page.getByRole('button', { name: 'Previous game (p)' }).click()
        await page.waitForURL(/game=50/)
        await browser.quiet(page)
        assert.equal(await text(heading), last)
    })

    using('games: the list follows the board', '?view=games&game=1&ply=2', {}, async (page) => {
        const rows = page.getByRole('list', { name: 'Games', exact: true }).getByRole('link')
        await page.getByLabel('follows the board').check()
        await page.waitForURL(/follow=1/)
        const games = async () => {
            await browser.quiet(page)
            return parseInt(await text(page.locator('.search-head h2')))
        }
        const before = await games()
        for (let at = 0; at < 4; at++) await page.keyboard.press('ArrowRight')
        await page.waitForURL(/ply=6/)
        await page.waitForFunction((n) => parseInt(document.querySelector('.search-head h2').innerText) < n, before)
        const moves = await page.evaluate(async () => {
            const { line } = await (await fetch('api/v1/games/1')).json()
            const fen = line[5].fen
            return (await (await fetch(`api/v1/find?fen=${encodeURIComponent(fen)}&count=true`)).json()).games
        })
        assert.equal(await games(), moves)
        assert.ok((await rows.count()) > 0)
        await browser.axe(page)
    })

    using('settings: colours, language, board and pieces in one menu', '', {}, async (page) => {
        const menu = page.locator('summary', { has: page.locator('.icon-settings') })
        await menu.click()
        const square = page.locator('.cm-chessboard .square.black').first()
        const fill = () => square.evaluate((element) => getComputedStyle(element).fill)
        const before = await fill()
        await page.getByLabel('Board', { exact: true }).selectOption('Wood')
        assert.notEqual(await fill(), before)
        await browser.axe(page)
        const sets = []
        page.on('request', (request) => sets.push(...(/pieces[^/]*\.svg/.exec(request.url()) ?? [])))
        await page.getByLabel('Pieces').selectOption('Plain')
        await page.locator('.cm-chessboard use[href*=plain]').first().waitFor({ state: 'attached' })
        assert.ok(sets.every((name) => name.includes('plain')), 'fetched when it is shown')
        await menu.click()
        await page.getByLabel('Language').selectOption('Deutsch')
        await page.getByRole('link', { name: 'Partien', exact: true }).waitFor()
        await menu.click()
        await page.getByLabel('Farben').selectOption('Dunkel')
        await page.keyboard.press('Escape')
        assert.equal(await page.getByLabel('Farben').isVisible(), false)
        // All of it is there after a reload.
        await page.reload()
        await browser.quiet(page)
        assert.notEqual(await fill(), before)
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark')
        await page.locator('.cm-chessboard use[href*=plain]').first().waitFor({ state: 'attached' })
        await browser.axe(page)
    })

    using('explorer: all columns at 1440 px', '?play=e2e4', { width: 'wide' }, async (page) => {
        const moves = page.getByRole('table', { name: 'Moves played from this position' })
        for (const name of ['Perf.', 'Leads to'])
            assert.ok(await moves.getByRole('columnheader', { name }).isVisible(), name)
        assert.match(await text(moves.locator('tbody tr').nth(1).locator('.leads')), /^Sicilian/)
    })

    using('patterns: plies that follow one another are ranges', '?view=patterns&material=Q%3D1', {}, async (page) => {
        await page.getByRole('list', { name: 'Games with the pattern' }).getByRole('link').first().click()
        const jumps = page.getByRole('navigation', { name: 'The pattern was there' }).getByRole('link')
        await jumps.first().waitFor()
        assert.ok((await jumps.count()) < 12)
        assert.match(await text(jumps.first()), /^moves 1–\d+$/)
        assert.equal(await jumps.first().getAttribute('aria-current'), 'step')
    })

    for (const [view, search] of [
        ['games', '?view=games&game=1&ply=12'],
        ['patterns', '?view=patterns&pattern=*/???R*/*/*/*/*/*/*&game=3&ply=25'],
        ['repetitions', '?view=repetitions&game=84&key=62ada7cdc349d1a8&ply=63'],
        ['player', '?view=player&name=Carlsen,M'],
    ])
        for (const width of ['desk', 'wall'])
            using(`${view}: no card scrolls inside, ${width}`, search, { width }, async (page) => {
                const scrolled = await page.evaluate(() =>
                    [...document.querySelectorAll('.card, .beside-board')]
                        .filter((card) => card.scrollHeight > card.clientHeight + 2)
                        .filter((card) => getComputedStyle(card).overflowY !== 'visible')
                        .map((card) => card.className),
                )
                assert.deepEqual(scrolled, [])
            })

    using('patterns: examples are diagrams where nothing is found yet', '?view=patterns', { width: 'wide' }, async (page) => {
        const examples = page.getByRole('region', { name: 'Examples' })
        assert.equal(await examples.locator('.diagram').count(), 10)
        await browser.axe(page)
        await examples.getByRole('button', { name: 'Greek gift' }).click()
        await page.waitForURL(/pattern=/)
        await browser.quiet(page)
        assert.equal(await examples.count(), 0)
        await page.getByRole('button', { name: 'Clear' }).click()
        await examples.getByRole('button', { name: 'Rook and pawn against rook' }).click()
        await page.waitForURL(/material=KRPvKR/)
    })
})
