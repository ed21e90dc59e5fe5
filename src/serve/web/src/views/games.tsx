import { t } from "../i18n";
import type { View } from "./view";

const Games: View = () => <p>{t("comingSoon")}</p>;
export default Games;
