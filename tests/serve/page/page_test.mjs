// The page as people use it, view by view; then every view at every width, light and dark.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe } from 'node:test'
import { drawFrames, kWidths } from './browser.mjs'
import { sampleFiles } from './server.mjs'
import {
    SAMPLES,
    addressOf,
    brokenWords,
    browser,
    choose,
    chooseLines,
    reach,
    serve,
    server,
    square,
    text,
    using,
    withGame,
} from './support.mjs'

serve(sampleFiles(SAMPLES))

// Every view, with something to see.
const kViews = {
    explorer: '?play=e2e4,e7e5,g1f3',
    games: '?view=games&game=1&ply=12',
    events: '?view=games&by=event',
    repetitions: '?view=repetitions&game=84&key=62ada7cdc349d1a8&ply=63',
    patterns: '?view=patterns&pattern=*/???R*/*/*/*/*/*/*&game=3&ply=25',
    player: '?view=player&name=Carlsen,M',
    prepare: '?view=prepare&name=Carlsen,M',
    novelty: '?view=novelty',
    repertoire: '?view=repertoire&n=14',
}

// Two at a time: the page waits for the server and for Chromium more often than not.
describe('the page', { concurrency: 2 }, () => {
    using('explorer: what engines said', '?play=e2e4,e7e5,g1f3', {}, async (page) => {
        const moves = page.getByRole('table', { name: 'Moves played from this position' })
        const row = (san) => moves.locator('tr', { has: page.getByRole('link', { name: san, exact: true }) })
        assert.equal(await text(row('Nc6').locator('.eval')), '+0.33')
        assert.equal(await text(row('Nf6').locator('.eval')), '#−5')
        assert.equal(await text(row('d6').locator('.eval')), '')
        const evaluation = page.getByRole('region', { name: 'Evaluation' })
        assert.match(await text(evaluation), /^\+0.36 depth 41 \+0.36 2...Nc6 3.Bb5 Nf6 4.O-O −1.04 2...d6 3.d4$/)
        assert.equal(await page.locator('.board .eval-bar').getAttribute('title'), '+0.36')
        await evaluation.getByRole('link', { name: 'Nf6' }).click()
        await page.waitForURL(/play=e2e4,e7e5,g1f3,b8c6,f1b5,g8f6$/)
        await browser.quiet(page)
        await page.getByRole('heading', { name: /Ruy Lopez/ }).waitFor()
        assert.equal(await evaluation.count(), 0)
        assert.equal(await moves.locator('.eval').count(), 0)
        assert.equal(await page.locator('.eval-bar').count(), 0)
    })

    // The first game tells its evaluations, the second only its clocks.
    for (const [white, ply, marks, bar, reading] of [
        ['GASPADAREK', 4, '+0.22 5:01', '+0.22', '2… g6: +0.22'],
        ['alanbrito4', 3, '+0.36 5:01', '+0.36', '2. Nf3: +0.36'],
    ])
        using(`games: evaluations and clocks of ${white}`, `?view=games&white=${white}`, {}, async (page) => {
            const rows = page.getByRole('list', { name: 'Games', exact: true }).getByRole('link')
            await rows.first().click()
            await page.waitForURL(/game=/)
            await browser.quiet(page)
            for (let at = 0; at < ply; at++) await page.keyboard.press('ArrowRight')
            await page.waitForURL(new RegExp(`ply=${ply}`))
            const shown = page.locator('.cell', { has: page.locator('[aria-current]') })
            assert.equal(await text(shown.locator('.marks')), marks)
            assert.equal(await page.locator('.board .eval-bar').getAttribute('title'), bar)
            const curve = page.locator('figure', { hasText: 'Evaluation' })
            const { width } = await curve.locator('.u-over').boundingBox()
            const moves = await page.locator('.cell').count()
            await curve.locator('.u-over').hover({ position: { x: (width * (ply - 1)) / (moves - 1), y: 40 } })
            assert.equal(await text(curve.locator('.curve-reading')), reading)
        })

    using('explorer: moves by mouse', '', {}, async (page) => {
        const moves = page.getByRole('table', { name: 'Moves played from this position' })
        const games = async () => parseInt(await text(moves.locator('tfoot .num').first()))
        const all = await games()
        await moves.getByRole('link', { name: 'e4', exact: true }).click()
        await page.waitForURL(/play=e2e4$/)
        await browser.quiet(page)
        assert.ok((await games()) < all)
        // By drag, then by two clicks.
        await page.mouse.move(...(await square(page, 'e7')))
        await page.mouse.down()
        await page.mouse.move(...(await square(page, 'e6')), { steps: 3 })
        await page.mouse.move(...(await square(page, 'e5')), { steps: 3 })
        await page.mouse.up()
        await page.waitForURL(/play=e2e4,e7e5$/)
        await browser.quiet(page)
        await page.mouse.click(...(await square(page, 'g1')))
        await page.mouse.click(...(await square(page, 'f3')))
        await page.waitForURL(/play=e2e4,e7e5,g1f3$/)
        await page.getByRole('heading', { name: /King's Knight Opening/ }).waitFor()
        // The browser's own way back, and on.
        await page.goBack()
        await page.goBack()
        await browser.quiet(page)
        assert.equal(addressOf(page).get('play'), 'e2e4')
        await page.goForward()
        assert.equal(addressOf(page).get('play'), 'e2e4,e7e5')
    })

    using('explorer: by keys alone', '', {}, async (page) => {
        await page.keyboard.press('Tab')
        assert.equal(await text(page.locator(':focus')), 'Skip to content')
        const field = page.getByRole('textbox', { name: 'Type a move' })
        await reach(page, field)
        await page.keyboard.type('e4')
        await page.keyboard.press('Enter')
        await page.waitForURL(/play=e2e4$/)
        // A move on the board: the cursor walks, Enter picks up and puts down.
        await reach(page, page.getByRole('application', { name: /Black to move/ }), 'Shift+Tab')
        await browser.quiet(page)
        for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowLeft', 'ArrowLeft'])
            await page.keyboard.press(key)
        await page.keyboard.press('Enter')
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
        await page.waitForURL(/play=e2e4,c7c5$/)
        // A move of the table, a game of the list.
        await browser.quiet(page)
        const moves = page.getByRole('table', { name: 'Moves played from this position' })
        await reach(page, moves.getByRole('link', { name: 'Nf3', exact: true }))
        await page.keyboard.press('Enter')
        await page.waitForURL(/play=e2e4,c7c5,g1f3$/)
        await browser.quiet(page)
        await reach(page, page.getByRole('list', { name: 'Top games' }).getByRole('link').first())
        await page.keyboard.press('Enter')
        await page.waitForURL(/view=games/)
    })

    using('explorer: filters and set-up', '', {}, async (page) => {
        await page.getByRole('button', { name: '+ Filter' }).click()
        await page.getByLabel('Player', { exact: true }).fill('carlsen')
        assert.equal(await page.getByRole('combobox', { name: 'Result' }).locator('option').count(), 4)
        await page.getByLabel('Time control').selectOption('Blitz')
        await page.getByRole('button', { name: 'Done' }).click()
        await page.waitForURL(/player=carlsen/)
        await page.getByRole('button', { name: 'Remove filter Time control: Blitz' }).click()
        await page.getByRole('button', { name: 'Remove filter Player: carlsen' }).click()
        await page.waitForFunction(() => !location.search.includes('player'))
        await page.getByRole('button', { name: 'Set up a position' }).click()
        await page.getByLabel('Or: moves, or a PGN game').fill('1.d4 d5 2.c4')
        await browser.axe(page)
        await page.getByRole('button', { name: 'Show', exact: true }).last().click()
        await page.waitForURL(/play=d2d4,d7d5,c2c4/)
        await page.getByLabel('Variant').selectOption('crazyhouse')
        await page.waitForURL(/variant=crazyhouse/)
        await browser.quiet(page)
    })

    using('explorer: promotion, castling and drops', '?fen=r3k3/1P6/8/8/8/8/8/4K2R_w_Kq_-_0_1', {}, async (page) => {
        const drag = async (from, to) => {
            await page.mouse.move(...from)
            await page.mouse.down()
            await page.mouse.move(...to, { steps: 4 })
            await page.mouse.up()
        }
        const on = async (name) => page.locator(`.pieces g[data-square=${name}]`).getAttribute('data-piece')
        // The king may be put on its rook, too.
        await drag(await square(page, 'e1'), await square(page, 'h1'))
        await page.waitForURL(/play=e1g1$/)
        await browser.quiet(page)
        assert.deepEqual([await on('g1'), await on('f1')], ['wk', 'wr'])
        await page.getByLabel('Type a move').fill('Ke7')
        await page.keyboard.press('Enter')
        await page.waitForURL(/e8e7$/)
        await browser.quiet(page)
        // A promotion asks, can be cancelled, and is made by keys.
        await drag(await square(page, 'b7'), await square(page, 'a8'))
        const dialog = page.getByRole('dialog', { name: 'Promote to' })
        await dialog.waitFor()
        await browser.axe(page)
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        await browser.quiet(page)
        assert.equal(await on('b7'), 'wp')
        await drag(await square(page, 'b7'), await square(page, 'a8'))
        await dialog.waitFor()
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
        await page.waitForURL(/b7a8r$/)
        // A piece of the pocket is dropped by two clicks, and by a drag.
        await page.goto(`${server.address}?variant=crazyhouse&play=e2e4,d7d5,e4d5,d8d5`)
        await browser.quiet(page)
        await page.getByRole('button', { name: '1 × white pawn' }).click()
        await page.mouse.click(...(await square(page, 'e2')))
        await page.waitForURL(/P@e2$/)
        await browser.quiet(page)
        const pawn = await page.getByRole('button', { name: '1 × black pawn' }).boundingBox()
        await drag([pawn.x + 20, pawn.y + 20], await square(page, 'e5'))
        await page.waitForURL(/P@e2,P@e5$/)
        await browser.quiet(page)
        assert.equal(await on('e5'), 'bp')
    })

    using('games: search, pages, a game', '?view=games', {}, async (page) => {
        const rows = page.getByRole('list', { name: 'Games', exact: true }).getByRole('link')
        const first = await text(rows.first())
        await page.getByRole('button', { name: 'Next page' }).click()
        await page.waitForURL(/cursor=/)
        await browser.quiet(page)
        assert.notEqual(await text(rows.first()), first)
        await page.goBack()
        await browser.quiet(page)
        assert.equal(await text(rows.first()), first)
        await rows.first().click()
        await page.waitForURL(/game=1\b/)
        await browser.quiet(page)
        await page.keyboard.press('ArrowRight')
        await page.keyboard.press('ArrowRight')
        await page.waitForURL(/ply=2/)
        const link = page.getByRole('link', { name: 'Download PGN' }).first()
        const pgn = await link.evaluate(async (element) => (await fetch(element.href)).text())
        assert.match(pgn, /^\[Event "/)
    })

    using('games: grouped by event', '?view=games&here=1&sort=date', {}, async (page) => {
        await page.getByLabel('by event').check()
        await page.waitForURL((url) => url.search === '?view=games&here=1&by=event')
        await browser.quiet(page)
        const events = page.getByRole('table', { name: 'Events' })
        const row = (name) => events.locator('tr', { has: page.getByRole('link', { name, exact: true }) })
        assert.equal(await text(row('8th Norway Chess 2020')), '8th Norway Chess 2020 28 6 2764 2020')
        assert.equal(await text(row('Candidates Tournament')), 'Candidates Tournament 3 6 1953–1959')
        const all = parseInt(await text(page.getByRole('heading', { name: /^\d+ events$/ })))
        assert.ok(all > 50)
        await page.getByLabel('Order').selectOption('name')
        await page.waitForURL(/sort=name/)
        await browser.quiet(page)
        const links = events.getByRole('link')
        assert.equal(await links.first().innerText(), '18th DSB Congress')
        // Words find several events; a row leads to the games of exactly one.
        await page.goto(`${server.address}?view=games&by=event&event=live+chess`)
        await page.getByRole('heading', { name: '2 events', exact: true }).waitFor()
        await reach(page, links.first())
        await page.keyboard.press('ArrowDown')
        assert.ok(await links.nth(1).evaluate((element) => element === document.activeElement))
        await page.keyboard.press('ArrowUp')
        assert.equal(await links.first().innerText(), 'Live Chess - Chess960')
        await links.nth(1).focus()
        await page.keyboard.press('Enter')
        await page.getByRole('heading', { name: '4 games', exact: true }).waitFor()
        assert.equal(addressOf(page).get('event'), '=Live Chess')
        const games = page.getByRole('list', { name: 'Games', exact: true }).getByRole('link')
        assert.equal(await games.count(), 4)
        await page.goBack()
        await page.getByRole('heading', { name: '2 events', exact: true }).waitFor()
    })

    using('repetitions: list, board and jumps', '?view=repetitions', {}, async (page) => {
        const rows = page.getByRole('list', { name: 'Repeated positions' }).getByRole('link')
        const all = await rows.count()
        assert.ok(all > 5)
        await page.getByLabel('Missed draws only').check()
        await page.waitForURL(/missed=1/)
        await browser.quiet(page)
        const missed = await rows.count()
        assert.ok(missed > 0 && missed < all)
        // A claim by a move that was not played.
        await rows.first().click()
        await page.getByRole('heading', { name: /Réti/ }).waitFor()
        await page.getByText('White could have claimed a draw after ply 38 by announcing Bg2.').waitFor()
        await rows.nth(1).click()
        await page.getByRole('heading', { name: /Levenfish/ }).waitFor()
        const jumps = page.getByRole('navigation', { name: 'The position was there' }).getByRole('link')
        assert.equal(await jumps.count(), 7)
        assert.equal(addressOf(page).get('ply'), '59')
        await jumps.nth(1).click()
        assert.equal(addressOf(page).get('ply'), '63')
        // Keys: the next time, one ply on.
        await page.keyboard.press('ArrowDown')
        await page.waitForURL(/ply=67/)
        await page.keyboard.press('ArrowRight')
        await page.waitForURL(/ply=68/)
        await page.getByText('Black could have claimed a draw on').waitFor()
        // A reload shows the same; back returns to the list without a board.
        await page.reload()
        await page.getByRole('heading', { name: /Levenfish/ }).waitFor()
        assert.equal(addressOf(page).get('ply'), '68')
        await page.goBack()
        assert.equal(addressOf(page).get('ply'), '59')
        await page.goBack()
        assert.equal(addressOf(page).get('game'), '18')
        await page.goBack()
        assert.equal(addressOf(page).get('game'), null)
        await page.getByLabel('Missed draws only').uncheck()
        await page.getByLabel('Perpetual check only').check()
        await page.waitForURL(/perpetual=1/)
        await browser.quiet(page)
        await rows.first().click()
        await page.getByText('White gave check with every move.').waitFor()
    })

    using('patterns: drawn on the board', '?view=patterns', {}, async (page) => {
        const board = page.getByRole('group', { name: /^Pattern/ })
        await page.getByRole('button', { name: 'white rook', exact: true }).click()
        await board.getByRole('button', { name: 'd7 empty' }).click()
        await page.getByRole('button', { name: 'any black piece' }).click()
        await board.getByRole('button', { name: 'g8 empty' }).click()
        assert.equal(await page.getByLabel('Pattern', { exact: true }).inputValue(), '*a?/???R*/*/*/*/*/*/*')
        await page.getByRole('button', { name: 'Search' }).click()
        await page.waitForURL(/pattern=/)
        await browser.quiet(page)
        const rows = page.getByRole('list', { name: 'Games with the pattern' }).getByRole('link')
        await rows.first().click()
        await page.getByRole('navigation', { name: 'The pattern was there' }).waitFor()
        await page.getByRole('button', { name: 'Count all' }).click()
        const counted = page.getByText(/\d+ games, \d+ positions/)
        await counted.waitFor()
        assert.ok(parseInt(await text(counted)) >= (await rows.count()))
        await browser.axe(page)
    })

    using('patterns: from the explorer', '?play=e2e4', {}, async (page) => {
        await page.getByRole('link', { name: 'Patterns' }).click()
        await page.getByRole('button', { name: "Take the explorer's position" }).click()
        await page.getByRole('button', { name: 'e4 white pawn' }).waitFor()
        await page.getByRole('button', { name: 'Search' }).click()
        await page.getByRole('list', { name: 'Games with the pattern' }).getByRole('link').first().waitFor()
    })

    using('patterns: by keys alone', '?view=patterns', {}, async (page) => {
        await page.getByRole('button', { name: 'e4 empty' }).focus()
        await page.keyboard.type('N')
        await page.keyboard.press('ArrowUp')
        await page.keyboard.type('p')
        await page.keyboard.press('ArrowLeft')
        await page.keyboard.type('q')
        await page.keyboard.press('Delete')
        const field = page.getByLabel('Pattern', { exact: true })
        assert.equal(await field.inputValue(), '*/*/*/*p???/*N???/*/*/*')
        await field.focus()
        await page.keyboard.press('Enter')
        await page.getByRole('list', { name: 'Games with the pattern' }).getByRole('link').first().waitFor()
    })

    using('games: one by rules that are not known', '?view=games', {}, async (page) => {
        await page.route(/\/games\/1(\?|$)/, async (route) => {
            const response = await route.fetch()
            const json = { ...(await response.json()), fen: null, comment: null, moves: null }
            await route.fulfill({ response, json })
        })
        await page.goto(`${server.address}?view=games&game=1`)
        await page.getByText('its rules are not known here').waitFor()
        await page.getByRole('link', { name: 'Close game' }).click()
        await page.getByText('its rules are not known here').waitFor({ state: 'detached' })
    })

    using('patterns: material, and what is wrong', '?view=patterns', {}, async (page) => {
        await page.getByLabel('Material').fill('KRPvKR')
        await page.getByLabel('Material').press('Enter')
        await browser.quiet(page)
        await page.getByLabel('Pattern', { exact: true }).fill('8/8')
        await page.getByRole('button', { name: 'Search' }).click()
        const alert = page.getByRole('alert')
        await alert.first().waitFor()
        assert.match(await text(alert.first()), /rank/)
        page.wrong = page.wrong.filter((what) => !what.includes('400'))
        await page.getByRole('button', { name: 'Clear' }).click()
        await page.getByText('How many of each piece').click()
        await page.getByLabel('white queen', { exact: true }).last().selectOption('=2')
        assert.equal(await page.getByLabel('Material').inputValue(), 'Q=2')
    })

    // The tools under the board are in one row.
    const rowsOfTools = (page) =>
        page.evaluate(() => {
            const tools = document.querySelectorAll('.under-board :is(button, select, input, .button)')
            const shown = [...tools].filter((tool) => tool.checkVisibility())
            const tops = shown.map((tool) => tool.getBoundingClientRect().top).sort((a, b) => a - b)
            return tops.filter((top, n) => n === 0 || top - tops[n - 1] > 12).length
        })

    using('explorer: one row of tools', '?play=e2e4', { language: 'de' }, async (page) => {
        assert.equal(await rowsOfTools(page), 1)
        await page.getByLabel('Variante', { exact: true }).selectOption('Crazyhouse')
        await page.waitForURL(/variant=crazyhouse$/)
        await page.locator('.pocket').first().waitFor()
        await page.getByLabel('Variante', { exact: true }).selectOption('Standard')
        await page.getByLabel('FEN, PGN oder Link').fill('1.d4 d5')
        await page.keyboard.press('Enter')
        await page.waitForURL(/play=d2d4,d7d5$/)
        await browser.quiet(page)
        await page.getByRole('button', { name: 'Von vorn' }).click()
        await page.waitForFunction(() => location.search === '')
        await browser.quiet(page)
        assert.equal(await rowsOfTools(page), 1)
        await page.getByRole('button', { name: 'Tasten (?)' }).click()
        await page.getByRole('dialog').waitFor()
    })

    using('games: one row of tools', '?view=games&game=5&ply=6', { language: 'de' }, async (page) => {
        assert.equal(await rowsOfTools(page), 1)
        await page.getByRole('link', { name: 'Von hier aus erkunden' }).click()
        await page.waitForURL((url) => url.searchParams.get('play')?.split(',').length > 6)
        assert.equal(addressOf(page).get('at'), '6')
    })

    using('player: by name', '?view=player', {}, async (page) => {
        await page.getByRole('link', { name: 'Harikrishna,P' }).waitFor()
        await page.getByLabel('Name').fill('carls')
        await page.getByLabel('Name').press('Enter')
        await page.waitForURL(/name=carls/)
        // Unless the server takes the beginning of a name for the name, the reader chooses.
        const choice = page.getByRole('link', { name: 'Carlsen,M', exact: true })
        const heading = page.getByRole('heading', { name: 'Carlsen,M', exact: true })
        await choice.or(heading).first().waitFor()
        if (await choice.isVisible()) await choice.click()
        await heading.waitFor()
        await browser.quiet(page)
        page.wrong = page.wrong.filter((what) => !/\b(400|404)\b/.test(what))
        await page.getByRole('row', { name: /^As White 5 60/ }).waitFor()
        await page.getByRole('img', { name: /^Rating from/ }).waitFor()
    })

    using('prepare: against a player', '?view=player&name=Carlsen,M', {}, async (page) => {
        await page.getByRole('link', { name: 'Prepare against this player' }).click()
        await page.waitForURL(/view=prepare&name=Carlsen,M$/)
        await page.getByRole('heading', { name: 'Prepare against Carlsen,M' }).waitFor()
        await page.waitForFunction(() => document.title.startsWith('Carlsen,M – Prepare – '))
        await page.getByRole('link', { name: /has Black$/ }).click()
        await page.waitForURL(/color=black/)
        await page.getByRole('heading', { name: 'What is played' }).waitFor()
        await page.goBack()
        await page.getByRole('button', { name: '1.d4', exact: true }).click()
        await page.waitForURL(/play=d2d4/)
        assert.equal(addressOf(page).get('white'), 'Carlsen,M')
    })

    using('prepare: a tab of its own, by the keyboard', '?view=player&name=Carlsen,M', {}, async (page) => {
        // The player stays the same from one tab to the other.
        await reach(page, page.getByRole('link', { name: 'Prepare', exact: true }))
        await page.keyboard.press('Enter')
        await page.waitForURL(/view=prepare&name=Carlsen,M$/)
        await page.getByRole('heading', { name: 'Prepare against Carlsen,M' }).waitFor()
        assert.equal(await page.getByRole('link', { name: 'Prepare', exact: true }).getAttribute('aria-current'), 'page')
        await reach(page, page.getByRole('link', { name: 'Carlsen,M has Black' }))
        await page.keyboard.press('Enter')
        await page.waitForURL(/color=black/)
        await browser.quiet(page)
        await browser.axe(page)
        // Without a name there are players to choose from.
        await page.goto(`${server.address}?view=prepare`)
        await page.getByRole('link', { name: 'Harikrishna,P' }).click()
        await page.getByRole('heading', { name: 'Prepare against Harikrishna,P' }).waitFor()
    })

    using('prepare: older addresses', '?view=player&name=Carlsen,M&color=black', { language: 'de' }, async (page) => {
        await page.getByRole('heading', { name: 'Vorbereitung auf Carlsen,M' }).waitFor()
        assert.equal(
            await page.getByRole('link', { name: 'Carlsen,M hat Schwarz' }).getAttribute('aria-current'),
            'true',
        )
        await page.getByRole('link', { name: 'Spieler', exact: true }).click()
        await page.waitForURL(/view=player&name=Carlsen,M$/)
        await page.getByRole('heading', { name: 'Carlsen,M', exact: true }).waitFor()
        assert.equal(await page.getByRole('heading', { name: 'Was gespielt wird' }).count(), 0)
    })

    // Everything stands in cards, none in another, as far from each other as from the window.
    for (const [name, search] of Object.entries({ ...kViews, 'no lines': '?view=repertoire' }))
        using(`${name}: equal gaps between cards`, search, {}, async (page) => {
            if (name === 'novelty') await choose(page, 'classics.pgn')
            if (name === 'repertoire') await chooseLines(page)
            const found = await page.evaluate(() => {
                const cards = [...document.querySelectorAll('main .card')].filter((card) => card.checkVisibility())
                const boxes = cards.map((card) => card.getBoundingClientRect())
                const meet = (a, b, from, to) => a[from] < b[to] - 1 && b[from] < a[to] - 1
                // How far a card is from the nearest one before it, if there is any.
                const before = (a, from, to, [low, high]) =>
                    boxes
                        .filter((b) => meet(a, b, low, high) && b[to] < a[from] + 1)
                        .map((b) => a[from] - b[to])
                        .sort((one, other) => one - other)[0]
                const root = getComputedStyle(document.documentElement)
                return {
                    gap: parseFloat(root.getPropertyValue('--gap')) * parseFloat(root.fontSize),
                    edge: Math.min(...boxes.map(({ left }) => left)),
                    gaps: boxes.flatMap((a) => [
                        before(a, 'left', 'right', ['top', 'bottom']),
                        before(a, 'top', 'bottom', ['left', 'right']),
                    ]),
                    nested: cards.filter((card) => card.parentElement.closest('.card')).map((card) => card.className),
                    outside: [...document.querySelectorAll('main :is(.board, table, .game-list)')]
                        .filter((one) => !one.closest('.card'))
                        .map((one) => one.className),
                }
            })
            assert.deepEqual({ nested: found.nested, outside: found.outside }, { nested: [], outside: [] })
            for (const gap of [found.edge, ...found.gaps])
                assert.ok(gap === undefined || Math.abs(gap - found.gap) <= 1, JSON.stringify(found))
        })

    for (const [name, search] of Object.entries(kViews)) {
        using(`print: ${name}`, search, {}, async (page) => {
            await browser.quiet(page)
            await page.emulateMedia({ media: 'print' })
            await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
            const cut = await page.evaluate(() =>
                [...document.querySelectorAll('main *')]
                    .filter((element) => /auto|scroll/.test(getComputedStyle(element).overflowY))
                    .filter((element) => element.scrollHeight > element.clientHeight + 3)
                    .map((element) => element.className),
            )
            assert.deepEqual(cut, [])
            for (const curve of await page.locator('.curve-box').all()) {
                await curve.locator('.on-paper').waitFor()
            }
        })
    }

    using('player: names left out, and joined ones', '?view=games&player=anand%20viswanathan', {}, async (page) => {
        await page.getByText('Not counted, but perhaps the same player:').waitFor()
        await page.getByRole('link', { name: 'Anand,V', exact: true }).click()
        await page.waitForURL(/view=player.*name=Anand/)
        await page.getByRole('heading', { name: 'Anand,V', exact: true }).waitFor()
        await page.getByText('Not counted, but perhaps the same player:').waitFor()
        assert.equal(addressOf(page).get('player'), null)
        await page.getByRole('link', { name: 'Anand, Viswanathan', exact: true }).waitFor()
        await browser.axe(page)
    })

    using('player: against another', '?view=player&name=Carlsen,M', {}, async (page) => {
        await page.getByLabel('Against').fill('Anand,V')
        await page.getByLabel('Against').press('Enter')
        await page.getByRole('heading', { name: 'Carlsen,M against Anand,V' }).waitFor()
        await browser.quiet(page) // while answers are on the way, the page is pale
        await browser.axe(page)
    })

    const pgn = '[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1.e4 e5 2.Nf3 Nc6 3.Bb5 h5 1-0\n'

    using('novelty: a chosen file', '?view=novelty', {}, async (page) => {
        await choose(page, 'classics.pgn')
        await page.locator('.novelty-list a').nth(2).click()
        await page.waitForURL(/n=3/)
        await page.getByRole('heading', { name: /Morphy/ }).waitFor()
        await browser.axe(page)
    })

    using('novelty: a pasted game', '?view=novelty', {}, async (page) => {
        await page.getByLabel('or paste a PGN').fill(pgn)
        await page.getByRole('button', { name: 'Find the new moves' }).click()
        await page.getByText('New: 3…h5').waitFor()
        // It is still there after a reload.
        await page.reload()
        await page.getByText('New: 3…h5').waitFor()
        await page.getByRole('link', { name: 'Open in the explorer' }).click()
        await page.waitForURL(/fen=r1bqkbnr/)
    })

    using('novelty: a reload before the answer', '?view=novelty', {}, async (page) => {
        // The first request is never answered.
        const asked = new Promise((resolve) => {
            void page.route(/\/novelty/, resolve, { times: 1 })
        })
        await page.getByLabel('or paste a PGN').fill(pgn)
        await page.getByRole('button', { name: 'Find the new moves' }).click()
        await asked
        await page.reload()
        await page.getByText('New: 3…h5').waitFor()
    })

    using('novelty: a dropped file', '?view=novelty', {}, async (page) => {
        const file = await page.evaluateHandle((content) => {
            const carried = new DataTransfer()
            carried.items.add(new File([content], 'game.pgn'))
            return carried
        }, pgn)
        await page.dispatchEvent('.drop', 'dragover', { dataTransfer: file })
        await page.getByText('Drop the file').waitFor()
        await page.dispatchEvent('.drop', 'drop', { dataTransfer: file })
        await page.getByText('New: 3…h5').waitFor()
    })

    // Wide and low: a phone held sideways, windows enlarged to 200 %; then what is lower than wide.
    for (const [x, y] of [
        [740, 360],
        [640, 400],
        [568, 320],
        [720, 450],
        [899, 700],
        [820, 1180],
    ])
        for (const view of ['explorer', 'games', 'repetitions', 'patterns'])
            using(`${view}: the board fits into ${x} x ${y}`, kViews[view], {}, async (page) => {
                await page.setViewportSize({ width: x, height: y })
                await browser.quiet(page)
                const board = page.locator('.board').first()
                await board.evaluate((element) => element.scrollIntoView({ block: 'nearest' }))
                const { height, width, y: top } = await board.boundingBox()
                assert.ok(Math.abs(width - height) < 1)
                assert.ok(top >= 0 && top + height <= y, `${top} to ${top + height} of ${y}`)
                // It is not made smaller than it must be.
                assert.ok(height > 0.6 * Math.min(x, y), `${height} of ${x} x ${y}`)
                const sideways = await page.evaluate(
                    () => document.documentElement.scrollWidth - innerWidth,
                )
                assert.equal(sideways, 0)
            })

    // A tablet, a phone held sideways, a page enlarged to 200 %.
    for (const [view, search] of Object.entries({ ...kViews, players: '?view=player' }))
        using(`${view}: other windows`, search, { language: 'de' }, async (page) => {
            if (view === 'novelty') await choose(page, 'classics.pgn')
            if (view === 'repertoire') await chooseLines(page)
            for (const [width, height] of [
                [820, 1180],
                [740, 360],
                [640, 400],
            ]) {
                await page.setViewportSize({ width, height })
                // The board follows a moment later.
                await page.waitForFunction(() => {
                    const current = document.querySelector('.tabs [aria-current]').getBoundingClientRect()
                    const tabs = document.querySelector('.top nav').getBoundingClientRect()
                    const inSight = current.left >= tabs.left - 1 && current.right <= tabs.right + 1
                    return inSight && document.documentElement.scrollWidth === innerWidth
                })
                await browser.shoot(page, `${view} ${width}x${height}`)
            }
        })

    for (const [view, search] of Object.entries({ ...kViews, 'list of games': '?view=games' }))
        using(`${view}: no word is broken inside at 360 px`, search, { width: 'phone', language: 'de' }, async (page) => {
            if (view === 'novelty') await choose(page, 'classics.pgn')
            if (view === 'repertoire') await chooseLines(page)
            assert.deepEqual(await brokenWords(page), [])
        })

    // Six levels, and a move of Black after a variation.
    const branched =
        '[Event "Tree"]\n[White "Deep"]\n[Black "Tree"]\n[Result "*"]\n\n1. e4 (1. d4 d5 (1... Nf6 2. c4 ' +
        '(2. Nf3 g6 (2... e6 3. e3 (3. g3 b5 (3... d5 4. Bg2)))) 2... g6) 2. c4 e6) 1... e5 2. Nf3 *\n'

    using('games: variations are a tree that folds', '?view=games&game=1', {}, async (page) => {
        await withGame(page, branched)
        const trees = page.locator('.game-moves .variations')
        assert.equal(await trees.count(), 3, 'deeper ones are folded')
        assert.match(await text(trees.first()), /^1\. ?d4 d5 1… ?Nf6 2\. ?c4/)
        // After the variations inside, the number of the move is there again.
        assert.match(await text(trees.first()), /2… ?g6 2\. ?c4 e6$/)
        const indents = await trees.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left))
        assert.ok(indents.every((left, at) => at === 0 || left > indents[at - 1]))
        const fold = page.getByRole('button', { name: 'Unfold the variation Nf3' })
        await fold.click()
        assert.equal(await trees.count(), 4)
        await page.getByRole('button', { name: 'Fold the variation d4' }).click()
        assert.equal(await trees.count(), 1)
        await browser.axe(page)
        // A place deep inside is open.
        await page.goto(`${server.address}?view=games&game=1&ply=1-0.2-0.2-0.2-0.2-0.2-0.2`)
        await page.locator('.game-moves [aria-current]').waitFor()
        assert.equal(await text(page.locator('.game-moves [aria-current]')), 'Bg2')
        // The explorer gets all moves up to there.
        await page.getByRole('link', { name: 'Explore from here' }).click()
        await page.waitForURL(/play=d2d4,g8f6,g1f3,e7e6,g2g3,d7d5,f1g2$/)
    })

    using('explorer: a move that is typed while its position loads', '?play=e2e4,e7e5', {}, async (page) => {
        let answer
        const held = new Promise((resolve) => (answer = resolve))
        await page.route(/\/position\?(.*&)?play=e2e4$/, async (route) => {
            await held
            await route.continue()
        })
        await page.keyboard.press('ArrowLeft')
        await page.waitForURL(/play=e2e4&|at=1/)
        await page.getByLabel('Type a move').fill('c5')
        await page.keyboard.press('Enter')
        await page.evaluate(drawFrames, 1)
        assert.equal(await page.getByText('No legal move').count(), 0)
        answer()
        await page.waitForURL(/play=e2e4,c7c5$/)
        assert.equal(await page.getByLabel('Type a move').inputValue(), '')
        // One that cannot be played is named, whenever it was typed.
        await page.getByLabel('Type a move').fill('Kd4')
        await page.keyboard.press('Enter')
        await page.getByText('No legal move is called Kd4').waitFor()
    })

    using('explorer: a tree of variations', '?play=e2e4,e7e5,g1f3', {}, async (page) => {
        const line = page.getByRole('group', { name: 'Moves', exact: true })
        const moves = page.getByRole('table', { name: 'Moves played from this position' })
        // A sideline leaves the main line as it is.
        await page.keyboard.press('ArrowLeft')
        await page.keyboard.press('ArrowLeft')
        await page.getByLabel('Type a move').fill('c5')
        await page.keyboard.press('Enter')
        await page.waitForURL(/play=e2e4,c7c5$/)
        await browser.quiet(page)
        assert.equal(await text(line), '1.e4 e5 1…c5 2.Nf3')
        // A comment, a sign, an arrow and a circle.
        await page.getByLabel('Comment').fill('Sicilian')
        await page.getByLabel('Comment').press('Enter')
        await page.getByLabel('Sign').selectOption('!?')
        const draw = async (from, to, key) => {
            if (key) await page.keyboard.down(key)
            await page.mouse.move(...(await square(page, from)))
            await page.mouse.down({ button: 'right' })
            await page.mouse.move(...(await square(page, to)))
            await page.mouse.up({ button: 'right' })
            if (key) await page.keyboard.up(key)
        }
        await draw('g1', 'f3')
        await draw('d5', 'd5', 'Shift')
        await page.locator('.arrow-green').first().waitFor({ state: 'attached' })
        await page.locator('.ring-red').first().waitFor({ state: 'attached' })
        assert.equal(await text(line), '1.e4 e5 1…c5!? Sicilian 2.Nf3')
        await browser.axe(page)
        // As PGN; then promoted, and it is there after a reload.
        const saved = async (name) => {
            const [download] = await Promise.all([
                page.waitForEvent('download'),
                page.getByRole('button', { name }).click(),
            ])
            return readFileSync(await download.path(), 'utf8')
        }
        await page.getByText('Keep, copy, download').click()
        assert.match(
            await saved('Download PGN'),
            /\n1\. ?e4 e5 \(1\.\.\. ?c5 \$5 \{\[%cal Gg1f3\] \[%csl Rd5\] Sicilian\}\) 2\. ?Nf3 \*\n/,
        )
        assert.match(await saved('Picture'), /^<svg .*<rect .*<path/s)
        await page.getByRole('button', { name: 'Promote the variation' }).click()
        await page.getByLabel('Name of these moves').fill('My lines')
        await page.getByRole('button', { name: 'Keep', exact: true }).click()
        await page.reload()
        await browser.quiet(page)
        assert.equal(await text(line), '1.e4 c5!? Sicilian 1…e5 2.Nf3')
        // Removed, then another tree, then the kept one again.
        await page.locator('summary', { hasText: 'My lines' }).click()
        await page.getByRole('button', { name: 'Start again' }).click()
        await moves.getByRole('link', { name: 'd4', exact: true }).click()
        await page.waitForURL(/play=d2d4$/)
        await browser.quiet(page)
        assert.equal(await text(line), '1.d4')
        await page.getByText('Keep, copy, download').click()
        await page.getByRole('button', { name: 'My lines', exact: true }).click()
        await browser.quiet(page)
        assert.equal(await text(line), '1.e4 c5!? Sicilian 1…e5 2.Nf3')
        await line.getByRole('link', { name: 'e5' }).click()
        await page.getByRole('button', { name: 'Remove this move' }).click()
        await browser.quiet(page)
        assert.equal(await text(line), '1.e4 c5!? Sicilian')
        // The wheel walks; "?" shows the keys.
        await page.mouse.move(...(await square(page, 'd5')))
        await page.mouse.wheel(0, -100)
        await page.waitForURL(/at=0/)
        await page.mouse.wheel(0, 100)
        await page.waitForURL(/at=1/)
        await page.keyboard.press('?')
        await page.getByRole('dialog', { name: 'Keys (?)' }).waitFor()
        await browser.axe(page)
    })

    using('explorer: errors of the server are in German', '', { language: 'de' }, async (page) => {
        const field = page.getByLabel(/^FEN,/)
        const alert = page.getByRole('alert').first()
        for (const [typed, says] of [
            ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq -', 'wer am Zug ist'],
            ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w kq -', 'je einen König'],
            ['1.e4 e5 2.Ke3', 'Der Zug Ke3 ist hier nicht möglich.'],
            ['https://lichess.org/abcdefgh', 'nicht in der Datenbank'],
        ]) {
            await field.fill(typed)
            await field.press('Enter')
            await page.getByRole('alert').filter({ hasText: says }).waitFor()
            assert.doesNotMatch(await text(alert), /missing|illegal|placement/)
        }
        page.wrong = page.wrong.filter((what) => !what.includes('400'))
    })

    using('explorer: a board alone, and addresses', '', {}, async (page) => {
        const field = page.getByLabel(/^FEN,/)
        const enter = async (typed) => {
            await field.fill(typed)
            await field.press('Enter')
        }
        await enter('rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR')
        await page.waitForURL(/fen=rnbqkbnr\/pppp1ppp\/8\/4p3\/4P3\/8\/PPPP1PPP\/RNBQKBNR_w_KQkq_-_0_1$/)
        await enter('https://www.chess.com/analysis?fen=rnbqkbnr%2Fpp1ppppp%2F8%2F2p5%2F4P3%2F8%2FPPPP1PPP%2FRNBQKBNR+w+KQkq+-+0+2')
        await page.waitForURL(/fen=rnbqkbnr\/pp1ppppp/)
        // A game of the samples, by its address there.
        const site = await page.evaluate(async () => {
            const { items } = await (await fetch('api/v1/games?white=GASPADAREK')).json()
            return [items[0].ref, items[0].site]
        })
        await enter(`${site[1]}/black#4`)
        await page.waitForURL(new RegExp(`game=${site[0]}&ply=4&flip=1`))
        await page.getByRole('heading', { name: /GASPADAREK/ }).waitFor()
        assert.match(await page.title(), /^GASPADAREK – .*Games – /)
    })

    using('the server is away, and comes back', '?play=e2e4', {}, async (page) => {
        await page.route('**/api/**', (route) => route.abort())
        await page.getByRole('button', { name: 'One move back (←)' }).click()
        await page.getByText('The server does not answer. The page tries again by itself.').waitFor()
        await page.unroute('**/api/**')
        await page.getByText('The server does not answer.').waitFor({ state: 'detached' })
        await page.getByRole('table', { name: 'Moves played from this position' }).waitFor()
        page.wrong = page.wrong.filter((what) => !what.includes('ERR_FAILED'))
    })

    using('games: a download has the order of the list', '?view=games&sort=elo', {}, async (page) => {
        const rows = page.getByRole('list', { name: 'Games', exact: true }).getByRole('link')
        const first = await text(rows.first().locator('.name.white .who'))
        const link = page.getByRole('link', { name: 'Download PGN' }).first()
        const pgn = await link.evaluate(async (element) => (await fetch(element.href)).text())
        assert.equal(/\[White "([^"]*)"/.exec(pgn)[1], first)
    })

    using('titles say what is shown', '?play=e2e4,c7c5', {}, async (page) => {
        await page.waitForFunction(() => document.title.startsWith('B20 Sicilian Defense – Explorer – '))
        await page.goto(`${server.address}?view=player&name=Carlsen,M`)
        await page.waitForFunction(() => document.title.startsWith('Carlsen,M – Player – '))
        await page.getByRole('link', { name: 'Patterns' }).click()
        await page.waitForFunction(() => document.title.startsWith('Patterns – '))
    })

    using('board: letters and digits can be read', '', {}, async (page) => {
        for (const scheme of ['light', 'dark']) {
            await page.emulateMedia({ colorScheme: scheme })
            const contrasts = await page.evaluate(() => {
                const luminance = (color) => {
                    const part = color.match(/[\d.]+/g).slice(0, 3).map((c) => c / 255)
                    const [r, g, b] = part.map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
                    return 0.2126 * r + 0.7152 * g + 0.0722 * b
                }
                const fill = (element) => luminance(getComputedStyle(element).fill)
                const squares = ['white', 'black'].map((color) =>
                    fill(document.querySelector(`.cm-chessboard .square.${color}`)),
                )
                return [...document.querySelectorAll('.cm-chessboard .coordinate')].flatMap((one) =>
                    squares.map((square) => {
                        const [low, high] = [square, fill(one)].sort((a, b) => a - b)
                        return (high + 0.05) / (low + 0.05)
                    }),
                )
            })
            assert.equal(contrasts.length, 32)
            assert.ok(Math.min(...contrasts) >= 4.5, `${Math.min(...contrasts)} in ${scheme}`)
        }
    })

    using('explorer: the tree as PGN', '?play=e2e4,e7e5&result=1-0', {}, async (page) => {
        const download = page.waitForEvent('download')
        await page.getByRole('link', { name: 'Tree as PGN' }).click()
        const stream = await (await download).createReadStream()
        let pgn = ''
        for await (const piece of stream) pgn += piece
        assert.match(pgn, /^\[Event "Tree of \d+ games"\]/)
        assert.match(pgn, /\n1\. e4 e5 2\. Nf3 \{(\[%eval [^\]]*\] )?\d+ games, \+\d+ =0 -0\}/)
    })

    using('novelty: an empty file, and what is not PGN', '?view=novelty', {}, async (page) => {
        const drop = async (name, mimeType, buffer) =>
            page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer })
        await drop('empty.pgn', 'text/plain', Buffer.from(''))
        await page.getByText('The file is empty.').waitFor()
        await page.reload()
        await page.getByLabel('or paste a PGN').waitFor()
        assert.equal(await page.getByText('The file is empty.').count(), 0)
    })

    using('novelty: a file of 20 MB', '?view=novelty', {}, async (page) => {
        const games = Math.ceil((20 * 2 ** 20) / 9000)
        // Most of a game is a comment, which costs the server little.
        const one = (n) =>
            `[Event "${n}"]\n[White "W${n}"]\n[Black "B"]\n[Result "*"]\n\n1. e4 {${'x'.repeat(8900)}} h5 *\n\n`
        await page.evaluate(
            ([count, make]) => {
                const game = eval(make)
                const carried = new DataTransfer()
                carried.items.add(new File(Array.from({ length: count }, (_, n) => game(n)), 'large.pgn'))
                window.carried = carried
            },
            [games, one.toString()],
        )
        const carried = await page.evaluateHandle(() => window.carried)
        await page.dispatchEvent('.drop', 'drop', { dataTransfer: carried })
        await page.getByRole('status').filter({ hasText: `${games.toLocaleString('en')} games` }).waitFor({ timeout: 60_000 })
        const last = page.locator('.novelty-list a').last()
        assert.match(await text(last), new RegExp(`W${games - 1}\\b`))
        assert.match(await last.getAttribute('href'), new RegExp(`n=${games}$`))
    })

    using('patterns: opposite-coloured bishops', '?view=patterns', {}, async (page) => {
        await page.getByText('How many of each piece').click()
        await page.getByRole('checkbox', { name: 'Opposite-coloured bishops' }).check()
        const material = page.getByLabel('Material')
        assert.equal(await material.inputValue(), 'opposite')
        await page.getByLabel('white queen', { exact: true }).last().selectOption('=0')
        assert.equal(await material.inputValue(), 'Q=0 opposite')
        await page.getByRole('button', { name: 'Search' }).click()
        await page.getByRole('list', { name: 'Games with the pattern' }).getByRole('link').first().waitFor()
    })

    for (const [view, search] of Object.entries(kViews)) {
        for (const width of Object.keys(kWidths)) {
            for (const scheme of ['light', 'dark']) {
                const language = scheme === 'dark' ? 'de' : 'en'
                using(`${view}: ${width}, ${scheme}`, search, { width, scheme, language }, async (page) => {
                    if (view === 'novelty') await choose(page, 'classics.pgn')
                    if (view === 'repertoire') {
                        await chooseLines(page)
                        await page.goto(`${server.address}${search}`)
                        await browser.quiet(page)
                    }
                    assert.equal(await page.locator('main h1').count(), 1)
                    const sideways = await page.evaluate(
                        () => document.documentElement.scrollWidth - innerWidth,
                    )
                    assert.equal(sideways, 0)
                    await browser.shoot(page, `${view} ${width} ${scheme}`)
                    // On a wall everything is as on a desk, only larger.
                    if (width !== 'wall') await browser.axe(page)
                })
            }
        }
    }
})
